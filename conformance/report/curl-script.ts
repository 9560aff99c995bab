import { unsafeCharacterPattern } from "../../openapi/text/escape-invisible.js";
import { escapePattern } from "../client/escape-pattern.js";
import type { Exchange } from "../client/exchange.js";
import type { Secret } from "../client/secrets.js";
import { findCreatedId } from "./script-requests.js";

/** Longer bodies are passed to curl through a pipe, because an argument must not be longer than 128 KB. */
const maxArgumentLength = 100_000;

/** Fields of responses whose values are used in later requests. */
const reusedField = /"(\w*(?:[iI]d|Cursor|Token)|key(?="\s*:\s*"\$))"\s*:\s*"([^"\\]{4,})"/g;

/** Names that bash reserves or does not accept as variable names. */
const notAssignable = /^(?:ID|UID|EUID|PPID|BASHPID|\d.*)$/;

/** Resources in paths that may no longer exist when the script is run. */
const resourceInPath = /\/(database|organization|repositor)(?:y|ies|s)\/([^/?]+)/g;

/** Marks a variable that the script sets from a response. */
const captured = "\0";

interface CurlScriptOptions {
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
  options: CurlScriptOptions = {},
): string {
  return new CurlScript(baseUrl, secrets).build(exchanges, options);
}

class CurlScript {
  /** The names of variables by the texts for which they stand. */
  readonly #variables = new Map<string, string>();
  /** The variables that the requests use, with their default values; empty for secrets. */
  readonly #used = new Map<string, string>();

  constructor(
    private readonly baseUrl: string,
    private readonly secrets: ReadonlyMap<string, Secret>,
  ) {
    for (const name of secrets.keys()) this.#variables.set(`$${name}`, name);
  }

  build(exchanges: readonly Exchange[], { creatingRequests = [], run }: CurlScriptOptions): string {
    const { baseUrl } = this;
    const all = [...creatingRequests, ...exchanges];
    const texts = all.map((exchange) => this.#listTexts(exchange));
    const runId = texts.some((some) => `${baseUrl} ${some.join(" ")}`.includes(run ?? captured))
      ? run
      : undefined;
    if (runId !== undefined) this.#variables.set(runId, "RUN");
    const commands = all.flatMap((exchange, index) => {
      const path = this.#getPath(exchange.request.url);
      for (const text of texts[index] ?? [])
        for (const [value, name] of this.#variables)
          if (text.includes(value) && value.startsWith("$") && !this.#used.has(name))
            this.#used.set(name, "");
      this.#nameResources(path);
      const number = index - creatingRequests.length + 1;
      const command = this.#formatCommand(exchange);
      const captures = this.#formatCaptures(exchange, texts.slice(index + 1));
      if (number <= 0) {
        const title = `# setup: ${exchange.operationId ?? `${exchange.request.method} ${path}`}`;
        return ["", title, command, "made", ...captures, ...this.#formatDatabaseWait(exchange)];
      }
      const title = `# ${number}. ${exchange.caller}, response: ${exchange.answer?.status ?? "none"}`;
      return ["", title, command, 'echo "$RESPONSE"', ...captures];
    });
    // An emulator removes the namespace by itself, and the script creates its users.
    const isEmulated = creatingRequests.some(({ operationId }) => operationId === undefined);
    const base = escapeQuoted(baseUrl);
    return [
      ...(runId === undefined
        ? []
        : ["# names differ between runs", ': "${RUN:=cf$(date +%s | tail -c 9)}"']),
      `: "\${BASE:=${runId === undefined ? base : base.replaceAll(runId, "$RUN")}}"`,
      ...[...this.#used].flatMap(([name, value]) => this.#formatSetting(name, value, isEmulated)),
      ...(creatingRequests.length === 0 ? [] : ["", ...madeFunction]),
      ...commands,
      ...(isEmulated ? [] : this.#formatRemovals(creatingRequests)),
      "",
    ].join("\n");
  }

  #formatSetting(name: string, value: string, isEmulated: boolean): string | readonly [] {
    const secret = this.secrets.get(name);
    if (value === captured) return [];
    if (value !== "" || secret === undefined)
      return `${name}=\${${name}:-${quoteLiterally(value)}} # if this resource no longer exists, use the id of another resource`;
    const { kind, of } = secret;
    if (isEmulated && kind === "password") return `: "\${${name}:=password-of-this-script}"`;
    if (kind === "credential")
      return `: "\${${name}:=invalid-credential}" # the credential for ${of}; by default, an invalid one`;
    return `: "\${${name}:?set it ${escapeQuoted(instructions[kind](of))}}"`;
  }

  /** Formats lines that wait until a new database is ready. */
  #formatDatabaseWait(exchange: Exchange): readonly string[] {
    const { operationId, request } = exchange;
    const id = findCreatedId(exchange);
    if (operationId !== "createDatabase" || id === undefined || !this.#variables.has(id)) return [];
    return [
      `for _ in $(seq 120); do`,
      `  curl -sS ${this.#formatTarget(request, id)} | grep -qE '"status" *: *"Creating"' || break`,
      "  sleep 1",
      "done",
    ];
  }

  /** Formats lines that remove what the script created, in reverse order. */
  #formatRemovals(creatingRequests: readonly Exchange[]): readonly string[] {
    const commands = creatingRequests.toReversed().flatMap((exchange) => {
      const id = findCreatedId(exchange);
      if (id === undefined || !this.#variables.has(id)) return [];
      return [`curl -sS -o /dev/null -X DELETE ${this.#formatTarget(exchange.request, id)}`];
    });
    return commands.length === 0 ? [] : ["", "# remove the resources created above", ...commands];
  }

  /** Formats the URL of a resource below that of a request, and the credential of the request, as bash words. */
  #formatTarget({ url, headers: { Authorization: credential } }: Exchange["request"], id: string): string {
    const target = this.#quoteUrl(`${url}/${id}`);
    return credential === undefined ? target : `${target} -H ${this.#quote(`Authorization: ${credential}`)}`;
  }

  #formatCommand({ request }: Exchange): string {
    const { method, url, body } = request;
    const isPiped = (body?.length ?? 0) > maxArgumentLength;
    const options = [
      `-X ${method}`,
      this.#quoteUrl(url),
      ...listHeaders(request).map((header) => `-H ${this.#quote(header)}`),
      ...(body === undefined ? [] : [`--data-binary ${isPiped ? "@-" : this.#quote(body)}`]),
    ];
    const pipe = isPiped ? `printf %s ${this.#quote(body ?? "")} | ` : "";
    // Without `--path-as-is`, curl removes keys such as `..`.
    return `RESPONSE=$(${pipe}curl -sS --path-as-is -w '\\n%{http_code}' ${options.join(" \\\n  ")})`;
  }

  /** Names the resources in a path, so that other resources can be used instead. */
  #nameResources(path: string): void {
    for (const [, kind = "", id = ""] of path.matchAll(resourceInPath)) {
      if (this.#variables.has(id) || id.length < 4 || id.startsWith("$")) continue;
      const name = this.#findFreeName(`${kind === "repositor" ? "REPOSITORY" : kind.toUpperCase()}_ID`);
      this.#variables.set(id, name);
      this.#used.set(name, id);
    }
  }

  /** Formats lines that save the values of a response that later requests use. */
  #formatCaptures({ answer, request }: Exchange, later: readonly (readonly string[])[]): readonly string[] {
    const lines: string[] = [];
    const counts = new Map<string, number>();
    for (const [, field = "", value = ""] of (answer?.body ?? "").matchAll(reusedField)) {
      const place = (counts.get(field) ?? 0) + 1;
      counts.set(field, place);
      const known = this.#variables.get(value);
      // A changed session has another token of the same name.
      const isTaken = this.#used.has(known ?? "") && this.#used.get(known ?? "") !== captured;
      if (known !== undefined && (!value.startsWith("$") || isTaken)) continue;
      // A value that was sent is repeated in any case.
      if (`${request.url} ${request.body ?? ""}`.includes(value)) continue;
      if (!later.some((texts) => texts.some((text) => text.includes(value)))) continue;
      const wanted = field
        .replaceAll(/(?=[A-Z])/g, "_")
        .toUpperCase()
        .replace(notAssignable, "MADE_$&");
      const name = known ?? this.#findFreeName(wanted);
      this.#variables.set(value, name);
      this.#used.set(name, captured);
      lines.push(
        `${name}=$(printf %s "$RESPONSE" | grep -oE '"${field}" *: *"[^"]*"' | sed -n ${place}p | cut -d'"' -f4)`,
      );
    }
    return lines;
  }

  #findFreeName(wanted: string): string {
    const taken = new Set(this.#variables.values());
    for (let number = 1; ; number++) {
      const name = number === 1 ? wanted : `${wanted}_${number}`;
      if (!taken.has(name)) return name;
    }
  }

  /** Lists the texts of a request that may contain values of earlier responses. */
  #listTexts({ request }: Exchange): readonly string[] {
    return [this.#getPath(request.url), ...listHeaders(request), request.body ?? ""];
  }

  /** Returns the path and query of a URL below the base URL, or the whole URL if it is elsewhere. */
  #getPath(url: string): string {
    return url.startsWith(this.baseUrl) ? url.slice(this.baseUrl.length) : url;
  }

  #quoteUrl(url: string): string {
    const path = this.#getPath(url);
    return `${path === url ? "" : '"$BASE"'}${this.#quote(path)}`;
  }

  /** Formats a text as one bash word, with variables in place of their values. */
  #quote(text: string): string {
    const values = [...this.#variables.keys()]
      .filter((value) => text.includes(value))
      .sort((a, b) => b.length - a.length);
    if (values.length === 0) return quoteLiterally(text);
    const pattern = new RegExp(`(${values.map(escapePattern).join("|")})`);
    return text
      .split(pattern)
      .filter((part) => part !== "")
      .map((part) => {
        const name = this.#variables.get(part);
        return name === undefined ? quoteLiterally(part) : `"$${name}"`;
      })
      .join("");
  }
}

const instructions: Readonly<Record<Exclude<Secret["kind"], "credential">, (of: string) => string>> = {
  variable: () => "to the value that the target file uses",
  "access token": (user) => `to an access token for ${user}, from POST /auth/password`,
  "refresh token": (user) => `to the refresh token for ${user}`,
  password: (user) => `to the password for ${user}`,
  "API key": (scope) =>
    scope === "expired" ? "to an expired API key" : `to an API key with the scope ${scope}`,
  value: (field) => `to the value of \`${field}\` in this request`,
};

/** Ends the script if its setup fails. */
const madeFunction = [
  "made() {",
  "  case ${RESPONSE##*$'\\n'} in",
  "  2??) ;;",
  '  *) echo "setup failed: $RESPONSE" >&2; exit 1 ;;',
  "  esac",
  "}",
];

function listHeaders({ headers }: Exchange["request"]): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

/** Escapes a text for use between double quotes. */
function escapeQuoted(text: string): string {
  return text.replace(/[\\"$`}]/g, "\\$&");
}

/** Quotes a text; invisible characters become UTF-8 bytes, which bash reads in the same way in every locale. */
function quoteLiterally(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replaceAll(unsafeCharacterPattern, (run) => `'$'${formatBytes(run)}''`)}'`;
}

function formatBytes(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}
