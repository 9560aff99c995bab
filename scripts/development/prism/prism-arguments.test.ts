import { describe, expect, it } from "vitest";
import { prismArguments } from "./prism-arguments.js";

const contract = "openapi.json";

describe("prismArguments", () => {
  it("mocks the contract on port 4010", () => {
    expect(prismArguments(["mock"], contract)).toEqual({
      arguments: ["mock", contract, "--port", "4010"],
    });
  });

  it("puts the proxy before the deployment and does not turn violations into errors", () => {
    expect(prismArguments(["proxy", "http://127.0.0.1:4100"], contract)).toEqual({
      arguments: ["proxy", contract, "http://127.0.0.1:4100", "--port", "4010"],
    });
  });

  it.each(["-p", "--port", "--port=4011"])("keeps a port given with %s and passes options on", (option) => {
    expect(prismArguments(["proxy", "https://data.example", option, "4011"], contract)).toEqual({
      arguments: ["proxy", contract, "https://data.example", option, "4011"],
    });
  });

  it.each([[["mock", "--help"]], [["proxy", "--help"]], [["--help"]]])("explains itself for %j", (given) => {
    expect(prismArguments(given, contract)).toEqual({
      help: expect.stringContaining("sl-violations") as string,
    });
  });

  it.each([
    [["proxy"], "needs the base URL"],
    [["proxy", "--port", "4011"], "needs the base URL"],
    [["proxy", "127.0.0.1:4100"], "write it with http://"],
    [["proxy", "ftp://data.example"], "write it with http://"],
    [["watch"], 'there is no command "watch"'],
    [[], "a command is missing"],
  ])("refuses %j and says what to do", (given, message) => {
    const asked = prismArguments(given, contract);
    expect(asked).toHaveProperty("mistake", expect.stringContaining(message));
    expect(asked).toHaveProperty(
      "mistake",
      expect.stringContaining("npm run proxy -- http://127.0.0.1:4100"),
    );
  });
});
