import { invisibleCharacterPattern } from "../../openapi/text/escape-invisible.js";
import type { Exchange } from "../client/exchange.js";
import type { Secret } from "../client/secrets.js";
import { findCreatedId } from "./script-requests.js";

/** Longer bodies are passed to curl through a pipe, because an argument must not be longer than 128 KB. */
const maxArgumentLength = 100_000;

/** Fields of responses whose values are used in later requests. */
const carried = /"(\w*(?:[iI]d|Cursor|Token)|key(?="\s*:\s*"\$))"\s*:\s*"([^"\\]{4,})"/g;

/** Names that bash reserves or does not accept as variable names are replaced. */
const notAssignable = /^(?:ID|UID|EUID|PPID|BASHPID|\d.*)$/;

/** Resources in paths that may no longer exist when the script is run. */
const resourceInPath = /\/(database|organization|repositor)(?:y|ies|s)\/([^/?]+)/g;

export interface CurlScriptOptions {
  /** Setup requests, in the order in which they are sent before the requests. */
  readonly creatingRequests?: readonly Exchange[];
  /** The run id, which each run of the script replaces with a new id. */
  readonly run?: string;
}

/**
 * Builds a bash script that sends the same requests again, in order. Values from responses are passed on to later
 * requests. Secrets, and ids of resources that the run did not create, are environment variables.
 *
 * @param exchanges exchanges with masked secrets
 * @param secrets secrets by their names, which stand for them in the exchanges, as `$NAME`
 */
export function buildCurlScript(
  exchanges: readonly Exchange[],
  baseUrl: string,
  secrets: ReadonlyMap<string, Secret>,
  { creatingRequests = [], run }: CurlScriptOptions = {},
): string {
  const all = [...creatingRequests, ...exchanges];
  const variables = new Map<string, string>();
  const needed = new Map<string, string>();
  for (const name of secrets.keys()) variables.set(`$${name}`, name);
  const texts = all.map((exchange) => listTexts(exchange, baseUrl));
  const runs = run !== undefined && texts.some((some) => `${baseUrl} ${some.join(" ")}`.includes(run));
  if (run !== undefined && runs) variables.set(run, "RUN");
  const commands = all.map((exchange, index) => {
    const path = getPath(exchange.request.url, baseUrl);
    for (const text of texts[index] ?? [])
      for (const [value, name] of variables)
        if (text.includes(value) && value.startsWith("$") && !needed.has(name)) needed.set(name, "");
    nameResources(path, variables, needed);
    const number = index - creatingRequests.length + 1;
    const command = curlCommand(exchange, baseUrl, variables);
    const captured = buildCaptures(exchange, texts.slice(index + 1), variables, needed);
    return number > 0
      ? [
          "",
          `# ${number}. ${exchange.caller}, response: ${exchange.answer?.status ?? "none"}`,
          ...command,
          'echo "$RESPONSE"',
          ...captured,
        ]
      : [
          "",
          `# setup: ${exchange.operationId ?? `${exchange.request.method} ${path}`}`,
          ...command,
          "made",
          ...captured,
          ...waitForDatabase(exchange, baseUrl, variables),
        ];
  });
  const isEmulated = creatingRequests.some(({ operationId }) => operationId === undefined);
  const settings = [...needed].flatMap(([name, value]) => {
    const secret = secrets.get(name);
    if (value === "" && secret !== undefined) return formatSetting(name, secret, isEmulated);
    const note = "# if this resource no longer exists, use the id of another resource";
    return value === captured ? [] : `: "\${${name}:=${escaped(value)}}" ${note}`;
  });
  const base = escaped(baseUrl);
  return [
    ...(runs ? ["# names differ between runs", ': "${RUN:=cf$(date +%s | tail -c 9)}"'] : []),
    `: "\${BASE:=${run !== undefined && runs ? base.replaceAll(run, "$RUN") : base}}"`,
    ...settings,
    ...(creatingRequests.length === 0 ? [] : ["", ...madeFunction]),
    ...commands.flat(),
    ...buildRemovals(creatingRequests, baseUrl, variables),
    "",
  ].join("\n");
}

/** Formats a setting that the requests need; on an emulator, any password works, as the script creates the users. */
function formatSetting(name: string, { kind, of }: Secret, isEmulated: boolean): string {
  if (isEmulated && kind === "password") return `: "\${${name}:=password-of-this-script}"`;
  if (kind === "credential") return `: "\${${name}:=no-credential-at-all}" # the credential for ${of}`;
  return `: "\${${name}:?set it ${escaped(instructions[kind](of))}}"`;
}

const instructions: Readonly<Record<Exclude<Secret["kind"], "credential">, (of: string) => string>> = {
  variable: () => "to the value that the target file uses",
  "access token": (user) => `to an access token for ${user}, from POST /auth/password`,
  "refresh token": (user) => `to the refresh token for ${user}`,
  password: (user) => `to the password for ${user}`,
  "API key": (scope) =>
    scope === "expired" ? "to an expired API key" : `to an API key with the scope ${scope}`,
  value: (field) => `to the ${field} that the request sends here`,
};

function escaped(text: string): string {
  return text.replace(/[\\"$`}]/g, "\\$&");
}

/** Ends the script if its setup fails. */
const madeFunction = [
  "made() {",
  "  case ${RESPONSE##*$'\\n'} in",
  "  2??) ;;",
  '  *) echo "setup failed: $RESPONSE" >&2; exit 1 ;;',
  "  esac",
  "}",
];

/** Waits until a new database is ready. */
function waitForDatabase(
  { operationId, request, answer }: Exchange,
  baseUrl: string,
  variables: ReadonlyMap<string, string>,
): string[] {
  const id = findCreatedId(answer?.body);
  if (operationId !== "createDatabase" || id === undefined || !variables.has(id)) return [];
  const look = curlWords(
    { ...request, method: "GET", body: undefined, url: `${request.url}/${id}` },
    baseUrl,
    variables,
  );
  return [
    `for _ in $(seq 120); do`,
    `  curl -sS ${look} | grep -qE '"status" *: *"Creating"' || break`,
    "  sleep 1",
    "done",
  ];
}

/** Removes what the script created, in reverse order; an emulator removes the namespace by itself. */
function buildRemovals(
  creatingRequests: readonly Exchange[],
  baseUrl: string,
  variables: ReadonlyMap<string, string>,
): string[] {
  if (creatingRequests.some(({ operationId }) => operationId === undefined)) return [];
  const commands = creatingRequests.toReversed().flatMap(({ operationId, request, answer }) => {
    const id = findCreatedId(answer?.body);
    if (!removable.has(operationId ?? "") || id === undefined || !variables.has(id)) return [];
    const remove = { ...request, method: "DELETE", body: undefined, url: `${request.url}/${id}` };
    return [`curl -sS -o /dev/null -X DELETE ${curlWords(remove, baseUrl, variables)}`];
  });
  return commands.length === 0 ? [] : ["", "# remove the resources created above", ...commands];
}

const removable: ReadonlySet<string> = new Set(["createDatabase", "createRepository", "createOrganization"]);

/** Formats the URL and credential of a request as bash words. */
function curlWords(
  { url, headers: { Authorization: credential } }: Exchange["request"],
  baseUrl: string,
  variables: ReadonlyMap<string, string>,
): string {
  const target = quoteUrl(url, baseUrl, variables);
  return credential === undefined
    ? target
    : `${target} -H ${quote(`Authorization: ${credential}`, variables)}`;
}

function quoteUrl(url: string, baseUrl: string, variables: ReadonlyMap<string, string>): string {
  const path = getPath(url, baseUrl);
  return `${path === url ? "" : '"$BASE"'}${quote(path, variables)}`;
}

/** Returns the path and query of a URL below the base URL, or the whole URL if it is elsewhere. */
function getPath(url: string, baseUrl: string): string {
  return url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url;
}

/** Marks a variable that is set from a response in the script. */
const captured = "\0";

function listHeaders({ headers }: Exchange["request"]): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

/** The texts of a request that may hold values of earlier responses. */
function listTexts({ request }: Exchange, baseUrl: string): readonly string[] {
  const { url, body } = request;
  return [getPath(url, baseUrl), ...listHeaders(request), ...(body === undefined ? [] : [body])];
}

function curlCommand(
  { request }: Exchange,
  baseUrl: string,
  variables: ReadonlyMap<string, string>,
): string[] {
  const { method, url, body } = request;
  const piped = (body?.length ?? 0) > maxArgumentLength;
  const options = [
    `-X ${method}`,
    quoteUrl(url, baseUrl, variables),
    ...listHeaders(request).map((header) => `-H ${quote(header, variables)}`),
    ...(body === undefined ? [] : [`--data-binary ${piped ? "@-" : quote(body, variables)}`]),
  ];
  const pipe = piped ? `printf %s ${quote(body ?? "", variables)} | ` : "";
  // keys such as `..` are not to be folded away
  return [`RESPONSE=$(${pipe}curl -sS --path-as-is -w '\\n%{http_code}' ${options.join(" \\\n  ")})`];
}

/** Names the resources in a path, so that other resources can be used instead. */
function nameResources(path: string, variables: Map<string, string>, needed: Map<string, string>): void {
  for (const [, kind = "", id = ""] of path.matchAll(resourceInPath)) {
    if (variables.has(id) || id.length < 4 || id.startsWith("$")) continue;
    const name = findFreeName(`${kind === "repositor" ? "REPOSITORY" : kind.toUpperCase()}_ID`, variables);
    variables.set(id, name);
    needed.set(name, id);
  }
}

/** Formats lines that save the values of a response that later requests use. */
function buildCaptures(
  { answer, request }: Exchange,
  later: readonly (readonly string[])[],
  variables: Map<string, string>,
  needed: Map<string, string>,
): string[] {
  const lines: string[] = [];
  const counts = new Map<string, number>();
  for (const [, member = "", value = ""] of (answer?.body ?? "").matchAll(carried)) {
    const place = (counts.get(member) ?? 0) + 1;
    counts.set(member, place);
    const known = variables.get(value);
    // a session that is changed has another token of the same name
    const isTaken = needed.has(known ?? "") && needed.get(known ?? "") !== captured;
    if (known !== undefined && (!value.startsWith("$") || isTaken)) continue;
    // what was sent comes back on its own
    if (`${request.url} ${request.body ?? ""}`.includes(value)) continue;
    if (!later.some((texts) => texts.some((text) => text.includes(value)))) continue;
    const name =
      known ??
      findFreeName(
        member
          .replaceAll(/(?=[A-Z])/g, "_")
          .toUpperCase()
          .replace(notAssignable, "MADE_$&"),
        variables,
      );
    variables.set(value, name);
    needed.set(name, captured);
    lines.push(
      `${name}=$(printf %s "$RESPONSE" | grep -oE '"${member}" *: *"[^"]*"' | sed -n ${place}p | cut -d'"' -f4)`,
    );
  }
  return lines;
}

/** @param variables the names that are taken, by what they stand for */
function findFreeName(wanted: string, variables: ReadonlyMap<string, string>): string {
  const taken = new Set(variables.values());
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}_${number}`;
    if (!taken.has(name)) return name;
  }
}

/** Formats a text as one bash word, with variables in place of their values. */
function quote(text: string, variables: ReadonlyMap<string, string>): string {
  const values = [...variables.keys()]
    .filter((value) => text.includes(value))
    .sort((a, b) => b.length - a.length);
  if (values.length === 0) return quoted(text);
  const pattern = new RegExp(
    `(${values.map((value) => value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`,
  );
  return text
    .split(pattern)
    .map((part) => {
      const name = variables.get(part);
      return name === undefined ? (part === "" ? "" : quoted(part)) : `"$${name}"`;
    })
    .join("");
}

/** Escapes invisible characters as UTF-8 bytes, which bash reads in the same way in every locale. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replaceAll(invisibleCharacterPattern, (run) => `'$'${bytesOf(run)}''`)}'`;
}

function bytesOf(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}
