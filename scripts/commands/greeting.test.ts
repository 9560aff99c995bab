import { afterAll, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import type { EmulatorOptions } from "../../emulator/api/emulator-options.js";
import { buildExampleCurlArguments } from "../../emulator/access/build-example-curl-arguments.js";
import { formatEmulatorContents, formatGreeting } from "./greeting.js";

const emulators: Emulator[] = [];
afterAll(() => Promise.all(emulators.map((emulator) => emulator.close())));

async function start(options: EmulatorOptions): Promise<Emulator> {
  const emulator = await createEmulator(options);
  emulators.push(emulator);
  return emulator;
}

const linesOf = (emulator: Emulator) => formatEmulatorContents(emulator, emulator.state());
const pathOf = (emulator: Emulator) =>
  buildExampleCurlArguments(emulator.databases.list(), emulator.state().credentials.apiKeys);

describe("the description of the data at start", () => {
  it("is the same for a state file and the fixture it came from", async () => {
    const demo = await start({});
    const lines = linesOf(demo);
    expect(lines).toContain(
      "    owner@demo.test        demo-password   owner of org_demo_pro, owner of org_demo_enterprise",
    );
    expect(lines).toContain(
      "    unverified@demo.test   demo-password   cannot log in (EmailVerificationRequired)",
    );
    expect(lines).toContain("    mfa@demo.test          demo-password   cannot log in (MfaRequired)");
    expect(lines).toContain(
      "    db_demo                      of org_demo_pro: 11 items, 2 repositories, 2 SQL tables",
    );
    const again = await start({ data: demo.export() });
    expect(linesOf(again)).toEqual(lines);
    expect(pathOf(again)).toBe(pathOf(demo));
  });

  it("does not call the passwords of users that were added later unknown", async () => {
    const demo = await start({});
    demo.users.create({ email: "ada@acme.test", password: "lovelace" });
    expect(linesOf(demo)).toContain("    and 1 more, whose passwords are not shown");
  });

  it("describes a file whose users were added later", async () => {
    const empty = await start({ fixture: "empty" });
    expect(linesOf(empty)).toEqual([]);
    expect(pathOf(empty)).toBe("/health");
    const { personalOrganizationId } = empty.users.create({ email: "ada@acme.test", password: "lovelace" });
    const { key } = empty.apiKeys.create({
      organizationId: personalOrganizationId,
      name: "k",
      scopes: ["*"],
    });
    // these users are not shown as seeded, but they are once an emulator starts with this data
    expect(linesOf(empty)).toEqual([]);
    const lines = linesOf(await start({ data: empty.export() }));
    expect(lines).toContain("    ada@acme.test          lovelace");
    expect(lines).toContain(`    ${key.padEnd(28)} *`);
  });

  it("is truncated if it is longer than a screen", async () => {
    const users = Array.from({ length: 30 }, (_none, number) => `user${number}@acme.test`);
    const lines = linesOf(await start({ fixture: { users } }));
    expect(lines).toHaveLength(23);
    expect(lines.at(-1)).toBe("    and 10 more");
  });
});

describe("the greeting of an emulator with --persist", () => {
  const greet = async (isUsed: boolean) => {
    const emulator = await start({ fixture: { name: "older", users: ["ada@acme.test"] } });
    const opened = { emulator, url: "http://127.0.0.1:4100", data: undefined, exportTo: undefined } as const;
    return formatGreeting(
      { ...opened, console: undefined, origin: undefined, configFile: undefined },
      { folder: ".data", isUsed, fixture: "seed.yaml" },
    ).split("\n");
  };

  it("names the folder and the fixture", async () => {
    const lines = await greet(false);
    expect(lines[0]).toContain(", fixture older, manual clock at ");
    expect(lines).toContain("  data           saved in .data");
  });

  it("says that saved data replaces the fixture", async () => {
    const lines = await greet(true);
    expect(lines[0]).toContain(", state from .data, manual clock at ");
    expect(lines).toContain(
      "  data           loaded from .data and saved there; a reset restores the fixture seed.yaml",
    );
  });
});
