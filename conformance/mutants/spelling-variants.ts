import { operationIds } from "../../openapi/operations/register.js";
import type { Area } from "../check/check.js";
import { changed, type Tamper } from "./intercept.js";
import { variant, type Variant } from "./mutant.js";
import { instant, rewriting } from "./rewrite-answers.js";

/** The day of the year, and the week with the day in it, as ISO 8601 counts them. */
function otherDates(moment: Date): readonly string[] {
  const dayMs = 86_400_000;
  const midnight = Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate());
  const ofYear = (midnight - Date.UTC(moment.getUTCFullYear(), 0, 1)) / dayMs + 1;
  const weekday = ((moment.getUTCDay() + 6) % 7) + 1;
  const thursday = new Date(midnight + (4 - weekday) * dayMs);
  const week = Math.ceil(((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / dayMs + 1) / 7);
  return [
    `${moment.getUTCFullYear()}-${String(ofYear).padStart(3, "0")}`,
    `${thursday.getUTCFullYear()}-W${String(week).padStart(2, "0")}-${weekday}`,
  ];
}

/** The same instant, spelled in another way each time. */
function respelled(): (text: string) => string {
  let number = 0;
  return (text) => {
    if (!instant.test(text)) return text;
    const [date = "", time = ""] = text.slice(0, -1).split("T");
    const [ordinal = "", week = ""] = otherDates(new Date(text));
    const forms = [
      text,
      `${date}T${time}000+00:00`,
      `${date}T${time.replace(".", ",")}Z`,
      `${text.replaceAll(/[-:]/g, "").slice(0, -1)}+00`,
      `${ordinal}T${time}Z`,
      `${week}T${time}z`,
    ];
    return forms[number++ % forms.length] ?? text;
  };
}

/** Members that nobody has named, with another value each time. */
function withMore(): (own: object) => object {
  let number = 0;
  return (own) => ({ ...own, shown: ++number });
}

/** Of every third batch an entry fails for a reason that passes. */
const busyEntries: () => Tamper = () => {
  let number = 0;
  return async (wire) => {
    const entries: unknown = wire.body?.items;
    if (!Array.isArray(entries) || entries.length < 2 || entries.length > 25 || number++ % 3 !== 0)
      return wire.send();
    const { pk, sk = null } = entries[0];
    const answer = await wire.send({ body: { ...wire.body, items: entries.slice(1) } });
    if (answer.status !== 200) return wire.send();
    return changed(answer, (body) => {
      body.failedCount = Number(body.failedCount) + 1;
      body.errors = [{ pk, sk, error: "The partition is busy." }, ...(body.errors ?? [])];
    });
  };
};

/** Access tokens without a signature, each good for what is known of its payload. */
const unsignedTokens: () => Tamper = () => {
  const header = Buffer.from('{"alg":"none"}').toString("base64url");
  const known = new Map<string, string>();
  return async (wire) => {
    const real = known.get(wire.credential?.split(".")[1] ?? "");
    const answer = await wire.send(real === undefined ? {} : { credential: real });
    return changed(answer, (body) => {
      for (const holder of [body, body?.authResponse])
        if (typeof holder?.accessToken === "string") {
          const [, payload = ""] = holder.accessToken.split(".");
          known.set(payload, holder.accessToken as string);
          holder.accessToken = `${header}.${payload}.`;
        }
    });
  };
};

/** A new database passes through another status on its way. */
const restoredFirst: () => Tamper = () => {
  const looks = new Map<string, number>();
  return async (wire) => {
    const { databaseId = "" } = wire.path;
    const seen = (looks.get(databaseId) ?? 0) + 1;
    looks.set(databaseId, seen);
    const answer = await wire.send();
    return seen > 2
      ? answer
      : changed(answer, (body) => (body.status = seen === 1 ? "Creating" : "Restoring"));
  };
};

const areasWithTimes: readonly Area[] = [
  "session",
  "databases",
  "items",
  "transactions",
  "repositories",
  "entities",
  "sql",
  "organizations",
  "members",
  "billing",
  "limits",
];

/** What is the same in other words, and what passes by itself. */
export const spellingVariants: readonly Variant[] = [
  ...areasWithTimes.map((area) =>
    variant(
      `${area}/instants-respelled`,
      "An instant is spelled in another way each time",
      operationIds,
      () => rewriting({ text: respelled() })(),
    ),
  ),
  ...(["organizations", "databases", "repositories", "sql"] as const).map((area) =>
    variant(
      `${area}/members-that-change`,
      "Every object has a member that nobody has named and that is another one each time",
      operationIds,
      () => rewriting({ object: withMore() })(),
    ),
  ),
  ...(["items", "transactions"] as const).map((area) =>
    variant(
      `${area}/json-in-capitals`,
      "The content type is spelled with capitals and names the encoding",
      operationIds,
      () => async (wire) => {
        const answer = await wire.send();
        if (answer.headers["content-type"] === undefined) return answer;
        return {
          ...answer,
          headers: { ...answer.headers, "content-type": 'Application/JSON; charset="utf-8"' },
        };
      },
    ),
  ),
  ...(["batches", "items", "limits"] as const).map((area) =>
    variant(
      `${area}/busy-entries`,
      "The first of several entries of a batch write fails now and then, and goes through when it is sent again",
      ["batchWriteItems"],
      busyEntries,
    ),
  ),
  ...(["session", "access"] as const).map((area) =>
    variant(`${area}/unsigned-tokens`, "Access tokens have no signature", operationIds, unsignedTokens),
  ),
  variant(
    "databases/restored-first",
    "A new database is Restoring before it is Active",
    ["getDatabase"],
    restoredFirst,
  ),
  variant(
    "sql/no-rows-affected",
    "A definition affects -1 rows",
    ["executeSql"],
    () => async (wire) => changed(await wire.send(), (body) => (body.affectedRows = -1)),
  ),
];
