import { expect, it } from "vitest";
import { createProgressPrinter } from "./compare-command.js";

it("a log gets a line for the end of each phase, and none for its beginning", () => {
  let text = "";
  const stream = { isTTY: false, write: (more: string) => (text += more) } as unknown as NodeJS.WriteStream;
  const show = createProgressPrinter(stream);
  for (const done of [0, 1, 2]) show({ phase: "comparing", done, total: 2, causes: 1 });
  for (const done of [0, 1]) show({ phase: "judging", done, total: 1, causes: 1 });
  expect(text).toBe("compared 2 of 2 histories; causes of differences: 1\nrechecked 1 of 1 cause\n");
});
