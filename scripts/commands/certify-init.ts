import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { isLoopback } from "../../conformance/client/send-request.js";
import { ClauseViolation, RunError } from "../../conformance/client/violation.js";
import { generateRunId } from "../../conformance/run/run-id.js";
import { Run } from "../../conformance/run/runner.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { openTarget } from "../../conformance/target/open-target.js";
import {
  capabilities as known,
  defaultCapabilities,
  defaultRateLimits,
} from "../../conformance/target/target-file.js";
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

/** Users other than the owner, as described in the question for each. */
const others = {
  admin: "an admin of the owner's organization",
  member: "a member of the owner's organization",
  readonly: "a readonly member of the owner's organization",
  outsider: "the owner of another organization",
} as const;
const roles = ["owner", ...Object.keys(others), "unverified", "mfa"];

/** `data-service certify init`: writes a target file from options or interactive answers, and tests it. */
export async function initTargetFile(url: string | undefined, options: InitOptions): Promise<void> {
  const { output, force } = options;
  if (existsSync(output) && force !== true)
    fail(`${output} already exists; name another file with --output, or overwrite it with --force`);
  const users = readUsers(options.user ?? []);
  const unknown = (options.capability ?? []).find((name) => !(name in known));
  if (unknown !== undefined)
    fail(`unknown capability ${unknown}; expected one of ${Object.keys(known).join(", ")}`);
  const isAsked = url === undefined || users.owner === undefined;
  if (isAsked && !process.stdin.isTTY)
    fail(
      "give the URL and the owner's email address: data-service certify init https://… --user owner=somebody@example.com",
    );
  const answers = isAsked ? await ask(url, users, options) : { ...options, url, users };
  if (!/^https?:\/\//.test(answers.url))
    fail(`"${answers.url}" is not a base URL; it must begin with http:// or https://`);
  writeOutputFile(output, renderTarget(answers));
  print(`wrote ${output}\n`);
  const names = Object.keys(answers.users).map(toVariable);
  const unset = names.filter((name) => (process.env[name] ?? "") === "");
  if (unset.length > 0) {
    print(
      (unset.length === 1
        ? `set the environment variable ${unset.join("")} to the user's password, then run\n`
        : `set the environment variables ${unset.join(", ")} to the users' passwords, then run\n`) +
        `  data-service certify --target ${output} --only session\n`,
    );
    return;
  }
  await tryTarget(output);
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

async function ask(
  url: string | undefined,
  users: Readonly<Record<string, string>>,
  options: InitOptions,
): Promise<TargetAnswers> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  /** Asks until the answer is valid. */
  const askFor = async (question: string, isFine: (answer: string) => boolean, mistake: string) => {
    for (;;) {
      const answer = (await terminal.question(question)).trim();
      if (isFine(answer)) return answer;
      print(`${mistake}\n`);
    }
  };
  const askForUser = (who: string, isOptional: boolean) =>
    askFor(
      `Email address of ${who}: `,
      (answer) => (isOptional && answer === "") || /^\S+@\S+$/.test(answer),
      "That is not an email address.",
    );
  try {
    const base =
      url ??
      (await askFor(
        "Base URL of the deployment: ",
        (answer) => URL.canParse(answer) && /^https?:$/.test(new URL(answer).protocol),
        "That is not a URL. Enter a URL such as https://api.example.com.",
      ));
    const named: Record<string, string> = { ...users };
    if (!("owner" in named))
      named.owner = await askForUser("the owner of the organization that the suite works in", false);
    print("With more users, the suite can run more checks. To skip a user, leave the email address blank.\n");
    for (const [name, what] of Object.entries(others)) {
      const email = named[name] ?? (await askForUser(what, true));
      if (email !== "") named[name] = email;
    }
    const chosen = [...(options.capability ?? defaultCapabilities)];
    for (const name of ["invitations", "checkout"] as const) {
      if (chosen.includes(name)) continue;
      print(`${name}: ${known[name]}\n`);
      const answer = await terminal.question("Allow this? (y/N) ");
      if (/^y/i.test(answer)) chosen.push(name);
    }
    return { ...options, url: base, users: named, capability: chosen };
  } finally {
    terminal.close();
  }
}

/** Logs all users in and verifies their roles; creates nothing. */
async function tryTarget(output: string): Promise<void> {
  try {
    const id = generateRunId();
    const target = await openTarget({ target: output }, id);
    const run = new Run({ target, ledger: Ledger.create(id, target.baseUrl), seed: 1, runs: 1 });
    await run.prepare();
    print(
      `the target file works: ${target.baseUrl} responds, and all users can log in. Next, run\n` +
        `  data-service certify --target ${output} --report-dir reports\n`,
    );
    // idle connections would keep the process
    process.stdout.write("", () => process.exit(0));
  } catch (error) {
    if (error instanceof RunError || error instanceof ClauseViolation)
      fail(`${output} does not work yet: ${error.message}`);
    throw error;
  }
}

interface TargetAnswers extends Pick<InitOptions, "organization" | "database" | "capability"> {
  readonly url: string;
  /** Email addresses by role, at least that of the owner. */
  readonly users: Readonly<Record<string, string>>;
}

/** Renders a target file; it refers to passwords as environment variables. */
function renderTarget(answers: TargetAnswers): string {
  const { url, users, organization, database, capability = defaultCapabilities } = answers;
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
