import { existsSync } from "node:fs";
import { isLoopback } from "../../conformance/client/send-request.js";
import { generateRunId } from "../../conformance/run/run-id.js";
import { Run } from "../../conformance/run/runner.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { openTarget } from "../../conformance/target/open-target.js";
import {
  capabilities as known,
  defaultCapabilities,
  defaultRateLimits,
} from "../../conformance/target/target-file.js";
import { runSuiteCommand } from "./suite-command.js";
import { fail, print } from "./terminal.js";
import { writeOutputFile } from "./write-file-atomically.js";

export interface InitOptions {
  readonly output: string;
  readonly user?: readonly string[];
  readonly organization?: string;
  readonly database?: string;
  readonly capability?: readonly string[];
  readonly force?: true;
}

const roles = ["owner", "admin", "member", "readonly", "outsider", "unverified", "mfa"];

/** `data-service certify init`: writes a target file from options, and tests it. */
export function initTargetFile(url: string, options: InitOptions): Promise<void> {
  return runSuiteCommand(async () => {
    const { output, force } = options;
    if (existsSync(output) && force !== true)
      fail(`${output} already exists; name another file with --output, or overwrite it with --force`);
    const users = readUsers(options.user ?? []);
    const unknown = (options.capability ?? []).find((name) => !(name in known));
    if (unknown !== undefined)
      fail(`unknown capability ${unknown}; expected one of ${Object.keys(known).join(", ")}`);
    if (users.owner === undefined)
      fail("give the owner's email address, e.g. --user owner=somebody@example.com");
    if (!/^https?:\/\//.test(url)) fail(`"${url}" is not a base URL; it must begin with http:// or https://`);
    writeOutputFile(output, renderTarget(url, users, options));
    print(`wrote ${output}\n`);
    const unset = Object.keys(users)
      .map(toVariable)
      .filter((name) => (process.env[name] ?? "") === "");
    if (unset.length === 0) await tryTarget(output);
    else
      print(
        `set the users' passwords in the environment (${unset.join(", ")}), then run\n` +
          `  data-service certify --target ${output} --only session\n`,
      );
    return 0;
  });
}

/** Reads `owner=somebody@example.com`. */
function readUsers(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((text): [string, string] => {
      const [, role = "", email = ""] = /^([a-z]+)=(\S+@\S+)$/.exec(text) ?? [];
      if (!roles.includes(role))
        fail(`--user ${text}: expected ROLE=EMAIL, where ROLE is one of ${roles.join(", ")}`);
      return [role, email];
    }),
  );
}

/** Returns the name of the environment variable for the password of a user. */
function toVariable(user: string): string {
  return `CERTIFY_${user.toUpperCase()}_PASSWORD`;
}

/** Logs all users in and verifies their roles; creates nothing. */
async function tryTarget(output: string): Promise<void> {
  const id = generateRunId();
  const target = await openTarget({ target: output }, id);
  await new Run({ target, ledger: Ledger.create(id, target.baseUrl), seed: 1, runs: 1 }).prepare();
  print(
    `the target file works: ${target.baseUrl} responds, and all users can log in. Next, run\n` +
      `  data-service certify --target ${output} --report-dir reports\n`,
  );
}

/**
 * Renders a target file; it refers to passwords as environment variables.
 *
 * @param users email addresses by role
 */
function renderTarget(
  url: string,
  users: Readonly<Record<string, string>>,
  { organization, database, capability = defaultCapabilities }: InitOptions,
): string {
  const lines = Object.entries(users).map(([name, email]) => {
    const place =
      name === "owner" && organization !== undefined ? `, organizationId: ${quote(organization)}` : "";
    return `  ${name}: { email: ${quote(email)}, password: ${quote(`\${${toVariable(name)}}`)}${place} }`;
  });
  // only a deployment that others share has to be spared
  const requestsPerSecond = isLoopback(`${url}/`) ? 1000 : defaultRateLimits.requestsPerSecond;
  return `# Describes a deployment for data-service certify; \${NAME} is replaced with the value of the environment variable NAME.
# To see all fields, run: data-service schema target
baseUrl: ${quote(url.replace(/\/+$/, ""))}
users:
${lines.join("\n")}
${database === undefined ? "# databaseId: id of the database to work in (by default, the suite creates a database)" : `databaseId: ${quote(database)}`}
# add invitations if the deployment may send email, and checkout if it may contact its payment provider
capabilities: [${capability.join(", ")}]
politeness: { requestsPerSecond: ${requestsPerSecond}, concurrency: 4, retries: 5 }
`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
