import { existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { ClauseViolation, RunError } from "../../conformance/client/violation.js";
import { generateRunId } from "../../conformance/run/run-id.js";
import { Run } from "../../conformance/run/runner.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { openTarget } from "../../conformance/target/open-target.js";
import { capabilities as known, defaultCapabilities } from "../../conformance/target/target-file.js";
import { fail, print } from "./terminal.js";

export interface InitOptions {
  readonly output: string;
  readonly user?: readonly string[];
  readonly organization?: string;
  readonly database?: string;
  readonly capability?: readonly string[];
  readonly force?: true;
}

/** Users beside the owner, with the question for each. */
const others = {
  admin: "an admin of the same organization",
  member: "a member of it",
  readonly: "a readonly member of it",
  outsider: "the owner of another organization",
} as const;
const roles = ["owner", ...Object.keys(others), "unverified", "mfa"];

/** `data-service certify init`: writes a target file from options or interactive answers, and tests it. */
export async function initTarget(url: string | undefined, options: InitOptions): Promise<void> {
  const { output, force } = options;
  if (existsSync(output) && force !== true)
    fail(`${output} already exists; name another file with --output, or overwrite it with --force`);
  const users = readUsers(options.user ?? []);
  const unknown = (options.capability ?? []).find((name) => !(name in known));
  if (unknown !== undefined)
    fail(`unknown capability ${unknown}; expected one of ${Object.keys(known).join(", ")}`);
  const isAsked = url === undefined || users.owner === undefined;
  if (isAsked && !process.stdin.isTTY)
    fail("name the URL and the owner: data-service certify init https://… --user owner=somebody@example.com");
  const answers = isAsked ? await ask(url, users, options) : { ...options, url, users };
  if (!/^https?:\/\//.test(answers.url))
    fail(`"${answers.url}" is not a base URL; start it with http:// or https://`);
  writeFileSync(output, renderTarget(answers));
  print(`wrote ${output}\n`);
  const names = Object.keys(answers.users).map(toVariable);
  const unset = names.filter((name) => (process.env[name] ?? "") === "");
  if (unset.length > 0) {
    print(
      `set ${unset.join(", ")} to the password${unset.length === 1 ? "" : "s"}, then\n` +
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
        fail(`"${text}" names no user; write ROLE=EMAIL with one of ${roles.join(", ")}`);
      return [role, email];
    }),
  );
}

/** The environment variable that holds the password of a user. */
function toVariable(user: string): string {
  return `CERTIFY_${user.toUpperCase()}_PASSWORD`;
}

async function ask(
  url: string | undefined,
  users: Readonly<Record<string, string>>,
  options: InitOptions,
): Promise<TargetAnswers> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  /** Asks until the answer makes sense. */
  const askFor = async (question: string, isFine: (answer: string) => boolean, mistake: string) => {
    for (;;) {
      const answer = (await terminal.question(question)).trim();
      if (isFine(answer)) return answer;
      print(`${mistake}\n`);
    }
  };
  const askForUser = (who: string, isOptional: boolean) =>
    askFor(
      `E-mail address of ${who}: `,
      (answer) => (isOptional && answer === "") || /^\S+@\S+$/.test(answer),
      "That is no e-mail address.",
    );
  try {
    const base =
      url ??
      (await askFor(
        "Base URL of the deployment: ",
        (answer) => URL.canParse(answer) && /^https?:$/.test(new URL(answer).protocol),
        "That is no URL; write it as https://api.example.com.",
      ));
    const named: Record<string, string> = { ...users };
    if (!("owner" in named)) named.owner = await askForUser("the owner of an organization to work in", false);
    print("More users let more be checked; leave out whom you do not have.\n");
    for (const [name, what] of Object.entries(others)) {
      const email = named[name] ?? (await askForUser(what, true));
      if (email !== "") named[name] = email;
    }
    const chosen = [...(options.capability ?? defaultCapabilities)];
    for (const name of ["invitations", "checkout"] as const) {
      if (chosen.includes(name)) continue;
      print(`${known[name]}\n`);
      const answer = await terminal.question("May the suite do that? (y/N) ");
      if (/^y/i.test(answer)) chosen.push(name);
    }
    return { ...options, url: base, users: named, capability: chosen };
  } finally {
    terminal.close();
  }
}

/** Logs everybody in, and looks whether they are what the file says; makes nothing. */
async function tryTarget(output: string): Promise<void> {
  try {
    const id = generateRunId();
    const target = await openTarget({ target: output }, id);
    const run = new Run({ target, ledger: Ledger.begin(id, target.baseUrl), seed: 1, runs: 1 });
    await run.prepare();
    print(
      `tried it: ${target.baseUrl} answers, and all users can log in\n` +
        `  data-service certify --target ${output} --report-dir reports\n`,
    );
    // idle connections would keep the process
    process.stdout.write("", () => process.exit(0));
  } catch (error) {
    if (error instanceof RunError || error instanceof ClauseViolation)
      fail(`tried ${output}, and it does not work yet: ${error.message}`);
    throw error;
  }
}

interface TargetAnswers extends Pick<InitOptions, "organization" | "database" | "capability"> {
  readonly url: string;
  /** E-mail addresses by role; the owner's at least. */
  readonly users: Readonly<Record<string, string>>;
}

/** The text of a target file; passwords are in it as names of environment variables. */
function renderTarget(answers: TargetAnswers): string {
  const { url, users, organization, database, capability = defaultCapabilities } = answers;
  const lines = Object.entries(users).map(([name, email]) => {
    const place =
      name === "owner" && organization !== undefined ? `, organizationId: ${quote(organization)}` : "";
    return `  ${name}: { email: ${quote(email)}, password: ${quote(`\${${toVariable(name)}}`)}${place} }`;
  });
  return `# A deployment as data-service certify needs to know it; \${NAME} is an environment variable.
# What else may stand here: data-service schema target
baseUrl: ${quote(url.replace(/\/+$/, ""))}
users:
${lines.join("\n")}
${database === undefined ? "# databaseId: a database to work in; without it the suite creates one" : `databaseId: ${quote(database)}`}
# invitations send e-mail and checkouts reach the payment provider, so both have to be named
capabilities: [${capability.join(", ")}]
politeness: { requestsPerSecond: 25, concurrency: 4, retries: 5 }
`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
