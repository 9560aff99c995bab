import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { Certification } from "../run/certification.js";
import { buildReport } from "../report/build-report.js";
import { formatSummary } from "../report/format-summary.js";
import { createTargetFromFile } from "../target/file-target.js";
import { Ledger } from "../target/ledger.js";
import { writeReports } from "./write-reports.js";

let server: Server | undefined;
const folder = mkdtempSync(join(tmpdir(), "hostile-"));
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const megabyte = 2 ** 20;
const refusal = (detail: string): RequestListener => {
  const body = JSON.stringify({ type: "about:blank", title: "Unauthorized", status: 401, detail });
  return (_, answer) => answer.writeHead(401, { "Content-Type": "application/problem+json" }).end(body);
};
const page = (body: string): RequestListener => {
  return (_, answer) => answer.writeHead(200, { "Content-Type": "text/html" }).end(body);
};

/**
 * Characters that can move the cursor or change the direction of text. The terminal and the report must not contain
 * them.
 */
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const kinds: Readonly<Record<string, RequestListener>> = {
  "what looks like the beginning of a token, over and over": refusal("eyJ".repeat(megabyte)),
  "beginnings of tokens with dots": refusal("eyJa.eyJ".repeat(megabyte / 2)),
  "a page that begins its title over and over": page("<title".repeat(megabyte)),
  "a page of opening brackets": page("<".repeat(4 * megabyte)),
  "a document nested half a million deep": (_, answer) =>
    answer.writeHead(200, { "Content-Type": "application/json" }).end("[".repeat(megabyte / 2)),
  "a little that unpacks to very much": (() => {
    const bomb = gzipSync(Buffer.alloc(128 * megabyte));
    return (_, answer) =>
      answer.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" }).end(bomb);
  })(),
  "control characters": refusal("\u001b[2J\u001b[1;1Hconformant \u009b31m \u202eelbanosaer\u202c \u0007"),
  "commands that CI systems read in logs": page("::error::a\n  ::stop-commands::b\n##[error]c ##vso[d]"),
  "a body that never ends": (_, answer) => {
    answer.writeHead(200, { "Content-Type": "application/json" });
    const drip = setInterval(() => answer.write(" "), 20);
    answer.on("close", () => clearInterval(drip));
  },
};

describe("a hostile deployment", () => {
  it.each(Object.entries(kinds))("ends the run with a report: %s", async (kind, hostile) => {
    server = createServer((request, answer) => {
      if (request.url !== "/health") hostile(request, answer);
      else answer.writeHead(200, { "Content-Type": "application/json" }).end('{"status":"Healthy"}');
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const target = createTargetFromFile({
      file: {
        users: { owner: { email: "owner@example.com", password: "a password" } },
        timeouts: { requestMs: kind.includes("never ends") ? 300 : 60_000, outageMs: 300 },
      },
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
    const ledger = Ledger.create("cfhostile", target.baseUrl);
    const certification = new Certification({ target, ledger, seed: 1, runs: 1, keepExchanges: 100 });
    const outcome = await certification.certify();
    expect(outcome.verdict).not.toBe("conformant");
    const { recorder, secrets } = certification.run;
    const report = buildReport({
      outcome,
      target,
      id: "cfhostile",
      seed: 1,
      runs: 1,
      only: [],
      recorder,
      secrets,
    });
    const texts = writeReports(folder, report, { exchanges: { recorder, secrets } }).map((file) =>
      readFileSync(file, "utf8"),
    );
    const summary = formatSummary(report, { command: "data-service certify", isVerbose: true });
    expect(summary).not.toMatch(controls);
    expect(summary).not.toMatch(/^\s*::|##\w*\[/m);
    for (const text of [summary, ...texts]) {
      expect(text.length).toBeLessThan(4 * megabyte);
      expect(text).not.toContain("a password");
    }
  });
});
