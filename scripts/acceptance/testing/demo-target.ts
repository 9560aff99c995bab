import type { TargetFile } from "../../../conformance/target/target-file.js";

/** The password of every user of the fixture `demo`. */
export const demoPassword = "demo-password";

/** Creates the entry of a target file for a user of the fixture `demo`. */
export function createDemoUser(name: string) {
  return { email: `${name}@demo.test`, password: demoPassword };
}

/** The target file of an emulator with the fixture `demo`. It names no database, so the suite creates one. */
export const demoTarget: TargetFile = {
  baseUrl: "http://localhost",
  users: {
    owner: { ...createDemoUser("owner"), organizationId: "org_demo_pro" },
    admin: createDemoUser("admin"),
    member: createDemoUser("member"),
    readonly: createDemoUser("readonly"),
    outsider: createDemoUser("outsider"),
  },
  apiKeys: { "*": "dsk_demo_all", "database:read": "dsk_demo_database_read" },
  capabilities: ["create-databases", "create-organizations", "sql", "repositories", "invitations"],
  politeness: { requestsPerSecond: 100_000 },
};
