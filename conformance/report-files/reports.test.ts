import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gapsBeside } from "../../openapi/generated/gaps-beside.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import type { Check } from "../check/check.js";
import { Recorder } from "../client/recorder.js";
import { type Secret, SecretMasker } from "../client/secrets.js";
import type { CertificationResult } from "../run/certification.js";
import type { CheckResult, CheckOutcome } from "../run/result.js";
import { getVerdict } from "../run/verdict.js";
import { escapeInvisibleInLines } from "../../openapi/text/escape-invisible.js";
import { buildCurlScript } from "../report/curl-script.js";
import { generateHar } from "./har.js";
import { renderJunitXml } from "./junit.js";
import { renderHtmlReport } from "./html/html-report.js";
import { buildReport } from "../report/build-report.js";
import type { Report } from "../report/report.js";
import { explainVerdict, formatDuration } from "../report/outcome-labels.js";
import { formatSummary } from "../report/format-summary.js";
import { createSampleReport } from "../report/testing/sample-report.js";

const unit = fc.oneof(
  fc.nat(0xffff).map((code) => String.fromCharCode(code)),
  fc.constantFrom("<", "&", '"', "'", "]]>", "\0", "\u000b", "\ud800", "\uffff", "$", "`", "\\"),
);
const text = fc.string({ unit, maxLength: 30 });

const level = fc.constantFrom<CheckOutcome[]>("passed", "failed", "blocked", "not-declared", "not-run");
const result = fc
  .record({ level, title: text, reason: text, actual: text, body: text })
  .map(({ level: given, title, reason, actual, body }): CheckResult => {
    const check: Check = {
      id: "items/check",
      title,
      clauses: ["ITEM-01", "ITEM-02"],
      needs: [],
      run: () => Promise.resolve(),
    };
    const exchange = {
      number: 1,
      operationId: "putItem",
      intent: "valid",
      caller: "owner",
      setUp: false,
      request: { method: "PUT", url: "http://x/y", headers: {}, body },
      answer: { status: 200, headers: { "content-type": "application/json" }, body },
      startedAt: 0,
      durationMs: 1,
    } as const;
    return {
      check,
      level: given,
      ...(given === "passed" ? {} : { reason }),
      ...(given === "failed"
        ? { failure: { clause: "ITEM-02", expected: actual, actual, exchanges: [exchange] } }
        : {}),
      cells: [],
      durationMs: 1.5,
      requests: 1,
    };
  });

function createReport(results: readonly CheckResult[], knownAnswers: Partial<Profile> = {}) {
  const recorder = new Recorder(100);
  for (const { failure } of results) for (const exchange of failure?.exchanges ?? []) recorder.add(exchange);
  const secrets = new SecretMasker();
  const outcome: CertificationResult = {
    verdict: getVerdict(results, [], 0),
    notSelected: 0,
    errors: [],
    results,
    left: [],
    startedAt: 0,
    endedAt: 1000,
  };
  const target = { title: "somewhere", baseUrl: "http://x", knownAnswers };
  const report = buildReport({ outcome, target, id: "cfx", seed: 1, runs: 1, recorder, secrets });
  return { report, recorder, secrets };
}

/** Returns why a text is not well-formed XML; undefined if it is. */
function findXmlMistake(xml: string): string | undefined {
  const open: string[] = [];
  const [declaration = "", ...tokens] = xml.split(/(?=<)/);
  if (declaration.trim() !== '<?xml version="1.0" encoding="UTF-8"?>') return `declaration ${declaration}`;
  // the characters allowed in XML 1.0
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml))
    return "a character that XML has not";
  for (const token of tokens) {
    const [, tag = "", after = ""] = /^(<[^>]*>)(.*)$/s.exec(token) ?? [];
    if (after.includes(">") || /&(?!#\d+;|(?:amp|lt|gt|quot);)/.test(token)) return `text ${token}`;
    const [, close] = /^<\/(\w+)>$/.exec(tag) ?? [];
    const [, name, , empty] = /^<(\w+)((?: \w+="[^"<]*")*)(\/?)>$/.exec(tag) ?? [];
    if (close !== undefined) {
      if (open.pop() !== close) return `end of ${close}`;
    } else if (name === undefined) return `tag ${tag}`;
    else if (empty === "") open.push(name);
  }
  return open.length === 0 ? undefined : `no end of ${open.join()}`;
}

describe("the reports", () => {
  it("are well-formed XML and JSON, for any received text", () => {
    fc.assert(
      fc.property(fc.array(result, { maxLength: 6 }), (results) => {
        const { report, recorder, secrets } = createReport(results);
        const xml = renderJunitXml(report);
        expect(findXmlMistake(xml)).toBeUndefined();
        expect(xml.match(/<testcase /g)?.length ?? 0).toBe(results.length);
        expect(xml.match(/<failure /g)?.length ?? 0).toBe(report.counts.failed);
        expect(JSON.parse(JSON.stringify(report))).toEqual(report);
        const har = JSON.parse([...generateHar(recorder, secrets)].join("")) as {
          log: { entries: object[] };
        };
        expect(har.log).toMatchObject({ version: "1.2", creator: { name: "data-service-emulator" } });
        expect(har.log.entries).toHaveLength(report.counts.failed);
        for (const entry of har.log.entries)
          // the fields that HAR 1.2 requires
          expect(entry).toMatchObject({
            startedDateTime: "1970-01-01T00:00:00.000Z",
            time: 1,
            request: { method: "PUT", httpVersion: "HTTP/1.1", cookies: [], headers: [], queryString: [] },
            response: {
              status: 200,
              content: { mimeType: "application/json" },
              redirectURL: "",
              headersSize: -1,
            },
            cache: {},
            timings: { send: 0, wait: 1, receive: 0 },
          });
        expect(formatSummary(report, { command: "certify" })).toContain(report.verdict);
      }),
      { numRuns: 30 },
    );
  });

  it("name the gaps beside a clause, except those with a known answer", () => {
    const check: Check = {
      id: "session/refresh",
      title: "",
      clauses: ["AUTH-11"],
      needs: [],
      run: () => Promise.resolve(),
    };
    const failure = { clause: "AUTH-11", expected: "200", actual: "401", exchanges: [] } as const;
    const failed = { check, level: "failed", failure, cells: [], durationMs: 1, requests: 1 } as const;
    const gapsWith = (knownAnswers: Partial<Profile>) =>
      createReport([failed], knownAnswers).report.checks[0]?.failure?.gaps;
    expect(gapsBeside["AUTH-11"]).toEqual(["refresh-token-reuse"]);
    expect(gapsWith({})).toEqual(["refresh-token-reuse"]);
    expect(gapsWith({ "refresh-token-reuse": defaultProfile["refresh-token-reuse"] })).toEqual([]);
  });

  it("show no minute of 60 seconds", () => {
    expect([99_900, 119_600, 5_400_000].map(formatDuration)).toEqual(["99.9 s", "2 min 0 s", "90 min 0 s"]);
  });

  it("say if a failure occurs again only in the whole check", () => {
    const failed = createSampleReport("failed");
    const checks = failed.checks.map((check) => ({ ...check, inputPassed: true as const }));
    const shown = (report: Report) => [
      formatSummary(report, { command: "certify" }),
      renderJunitXml(report),
      renderHtmlReport(report, { command: "certify" }),
    ];
    const words = "the check passes with only the input in the token";
    for (const text of shown({ ...failed, checks })) expect(text).toContain(words);
    for (const text of shown(failed)) expect(text).not.toContain(words);
  });

  it("keep the start of each response, but take values for the curl script from all of it", () => {
    const shared = { operationId: "queryItems", intent: "valid", caller: "owner", setUp: false } as const;
    const exchanges = [`{"pad":"${"x".repeat(100_000)}","nextCursor":"after-the-pad"}`, "{}"].map(
      (body, index) => ({
        ...shared,
        number: index + 1,
        request: {
          method: "GET",
          url: `http://x/y?cursor=${index && "after-the-pad"}`,
          headers: {},
          body: undefined,
        },
        answer: { status: 200, headers: {}, body },
        startedAt: 0,
        durationMs: 1,
      }),
    );
    const check: Check = {
      id: "items/check",
      title: "",
      clauses: [],
      needs: [],
      run: () => Promise.resolve(),
    };
    const failure = { clause: "ITEM-02", expected: "", actual: "", exchanges } as const;
    const { report } = createReport([
      { check, level: "failed", reason: "", failure, cells: [], durationMs: 1, requests: 2 },
    ]);
    const reported = report.checks[0]?.failure;
    expect(reported?.exchanges[0]?.answer?.body.slice(32_760)).toBe(
      "xxxxxxxx… (truncated; 100039 characters in total)",
    );
    expect(reported?.curl).toContain("NEXT_CURSOR=$(");
  });

  it("have each clause of the checks once, with its state and the checks that exercise it", () => {
    const [failed] = fc.sample(result, { numRuns: 1, seed: 1 });
    if (failed === undefined) throw new Error("no sample");
    const failure = { clause: "ITEM-02", expected: "", actual: "", exchanges: [] } as const;
    const { report } = createReport([{ ...failed, level: "failed", failure }]);
    expect(explainVerdict(report)).toBe("1 check failed; broken clauses: ITEM-02");
    const all = report.parts.flatMap(({ clauses }) => clauses);
    expect(all.map(({ id }) => id).sort()).toEqual(["ITEM-01", "ITEM-02"]);
    const state = (id: string) => all.find((clause) => clause.id === id);
    expect(state("ITEM-02")).toMatchObject({ state: "failed", checks: [failed.check.id] });
    expect(state("ITEM-01")).toMatchObject({ state: "blocked", checks: [failed.check.id] });
    expect(report.parts.map(({ title }) => title)).not.toContain("");
    expect(report.operations).toHaveLength(51);
    expect(report.suite.contractSha256).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("a curl script", () => {
  const secrets = new Map<string, Secret>([["OWNER_TOKEN", { kind: "access token", of: "owner" }]]);
  const exchange = (url: string, body: string | undefined, answer: string, token = "$OWNER_TOKEN") => ({
    number: 1,
    operationId: undefined,
    intent: "valid" as const,
    caller: "owner",
    setUp: false,
    request: { method: "POST", url: `http://x${url}`, headers: { Authorization: `Bearer ${token}` }, body },
    answer: { status: 200, headers: {}, body: answer },
    startedAt: 0,
    durationMs: 1,
  });

  it.each(["uid", "PPid", "1Id", "id", "euid"])("gives %s a name that is valid in bash", (member) => {
    const script = buildCurlScript(
      [exchange("/list", undefined, `{"${member}":"abc=="}`), exchange("/list", '{"cursor":"abc=="}', "{}")],
      "http://x",
      secrets,
    );
    const assigned = script
      .split("\n")
      .filter((line) => line.includes("grep -oE"))
      .map((line) => `${line.slice(0, line.indexOf("="))}=1`);
    expect(assigned).toHaveLength(1);
    expect(spawnSync("bash", ["-ec", assigned.join("\n")]).status).toBe(0);
  });

  it.each(["C", "C.UTF-8"])(
    "shows invisible characters as codes, and sends them unchanged, in the locale %s",
    (locale) => {
      fc.assert(
        fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (bodies) => {
          const texts = bodies.map((body) => JSON.stringify(`\ufeff${body}\u200b9`));
          const script = buildCurlScript(
            texts.map((body) => exchange("/list", body, "{}")),
            "http://x",
            secrets,
          );
          expect(escapeInvisibleInLines(script)).toBe(script);
          const { output } = spawnSync(
            "bash",
            ["-ec", `curl() { printf '%s\\0' "\${@: -1}" >&3; }\n${script}`],
            {
              env: { ...process.env, OWNER_TOKEN: "t", LC_ALL: locale },
              stdio: ["ignore", "ignore", "pipe", "pipe"],
            },
          );
          expect(String(output[3]).split("\0").slice(0, -1)).toEqual(texts);
        }),
        { numRuns: 5 },
      );
    },
  );

  it.each(["db_1'4", 'db_1"4', "db_$1`4"])("is valid in bash with the id %s", (id) => {
    const script = buildCurlScript([exchange(`/databases/${id}/list`, "{}", "{}")], "http://x", secrets);
    expect(script).toContain("DATABASE_ID=");
    expect(spawnSync("bash", ["-n"], { input: script }).status).toBe(0);
  });

  it("passes values of responses to later requests", () => {
    const script = buildCurlScript(
      [
        exchange("/databases/db_1234/list", `{"it's":"$OWNER_TOKEN $gt"}`, '{"nextCursor":"abc=="}'),
        exchange("/databases/db_1234/list", '{"cursor":"abc=="}', "{}", "$KEY_ALL"),
      ],
      "http://x",
      new Map([
        ...secrets,
        ["KEY_ALL", { kind: "API key", of: "*" }],
        ["OTHER", { kind: "value", of: "other" }],
      ]),
    );
    expect(script).toBe(`: "\${BASE:=http://x}"
: "\${OWNER_TOKEN:?set it to an access token for owner, from POST /auth/password}"
DATABASE_ID=\${DATABASE_ID:-'db_1234'} # if this resource no longer exists, use the id of another resource
: "\${KEY_ALL:?set it to an API key with the scope *}"

# 1. owner, response: 200
RESPONSE=$(curl -sS --path-as-is -w '\\n%{http_code}' -X POST \\
  "$BASE"'/databases/'"$DATABASE_ID"'/list' \\
  -H 'Authorization: Bearer '"$OWNER_TOKEN" \\
  --data-binary '{"it'\\''s":"'"$OWNER_TOKEN"' $gt"}')
echo "$RESPONSE"
NEXT_CURSOR=$(printf %s "$RESPONSE" | grep -oE '"nextCursor" *: *"[^"]*"' | sed -n 1p | cut -d'"' -f4)

# 2. owner, response: 200
RESPONSE=$(curl -sS --path-as-is -w '\\n%{http_code}' -X POST \\
  "$BASE"'/databases/'"$DATABASE_ID"'/list' \\
  -H 'Authorization: Bearer '"$KEY_ALL" \\
  --data-binary '{"cursor":"'"$NEXT_CURSOR"'"}')
echo "$RESPONSE"
`);
  });

  it("removes a new repository by its own id, although the response may show that of its database first", () => {
    const id = '{"databaseId":"db_1234","repositoryId":"repo_1234"}';
    const created = {
      ...exchange("/databases/db_1234/repositories", "{}", id),
      operationId: "createRepository",
    } as const;
    const script = buildCurlScript(
      [exchange("/databases/db_1234/repositories/repo_1234/entities", "{}", "{}")],
      "http://x",
      secrets,
      { creatingRequests: [created] },
    );
    expect(script).toContain(`-X DELETE "$BASE"'/databases/'"$DATABASE_ID"'/repositories/'"$REPOSITORY_ID" `);
  });

  it.each(["API_CREDENTIAL", "ORDERS_TOKEN", "DB_PASSWORD", "KEY_1", "lower_case"])(
    "asks for a user's variable %s as for the target file, whatever its name",
    (name) => {
      const masker = new SecretMasker();
      const key = masker.add("API key", "*", "dsk_live_12345", name);
      const requests = [exchange("/_emulator/x", undefined, "{}", key)].map((one) =>
        masker.hideExchange(one),
      );
      const script = buildCurlScript(requests, "http://x", masker.names, { creatingRequests: requests });
      expect(script).toContain(`\n: "\${${name}:?set it to the value that the target file uses}"\n`);
    },
  );

  it("assigns no value from a response to a user's variable", () => {
    const script = buildCurlScript(
      [
        exchange("/list", undefined, '{"nextCursor":"abc=="}'),
        exchange("/list", '{"cursor":"abc=="}', "{}", "$NEXT_CURSOR"),
      ],
      "http://x",
      new Map([["NEXT_CURSOR", { kind: "variable", of: "NEXT_CURSOR" }]]),
    );
    expect(script).toContain('\n: "${NEXT_CURSOR:?set it to the value that the target file uses}"\n');
    expect(script).toContain("\nNEXT_CURSOR_2=$(");
    expect(script).toContain(`-H 'Authorization: Bearer '"$NEXT_CURSOR" `);
    expect(script).toContain(`'{"cursor":"'"$NEXT_CURSOR_2"'"}'`);
  });
});
