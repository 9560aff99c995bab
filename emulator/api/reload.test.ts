import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createEmulator } from "./emulator.js";

const folder = mkdtempSync(join(tmpdir(), "reload-"));
const file = join(folder, "shop.yaml");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("reads the seed file again for the namespaces that use it", async () => {
  writeFileSync(file, "organizations: [Before]\nusers: [ada@acme.test]");
  const emulator = await createEmulator({ fixture: file });
  const [used, other] = [emulator.namespace("used"), emulator.namespace("other")];
  const namesIn = ({ organizations }: Pick<typeof emulator, "organizations">) =>
    organizations.list().map(({ name }) => name);
  used.clock.advance("P1D");
  other.reset("demo");
  writeFileSync(file, "organizations: [After]\nusers: [ada@acme.test]");
  emulator.reset();
  expect(namesIn(emulator)).toContain("Before");
  emulator.reload();
  for (const namespace of [emulator, used, emulator.namespace("new")]) {
    expect(namesIn(namespace)).toContain("After");
    expect(namesIn(namespace)).not.toContain("Before");
  }
  expect(used.state().clock.now).toBe("2030-01-01T00:00:00.000Z");
  expect(namesIn(other)).toContain("Demo Pro");
  writeFileSync(file, "organizations: [After]\nusers: [ada@acme.test]\nplan: none");
  expect(() => emulator.reload()).toThrow(/shop\.yaml.*3.*plan/s);
  writeFileSync(file, "name: other\norganizations: [Later]\nusers: [ada@acme.test]");
  expect(() => emulator.reload()).toThrow("the name of the fixture has changed from shop to other");
  expect(namesIn(emulator.namespace("newest"))).toContain("After");
  await emulator.close();
});
