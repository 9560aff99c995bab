import type { Random } from "./random.js";
import type { LiveState } from "./live-state.js";
import { oddJson } from "./texts.js";

type Container = Record<string, unknown> | unknown[];

/** A value that is written as it is, which `JSON.stringify` cannot. */
class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Changes values of a body: takes some away, puts others in their places, makes them many or deep. */
export function mutateJson(text: string, random: Random, live: LiveState): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return text;
  }
  const holder = { body };
  for (let times = random.size(4); times > 0; times -= 1) {
    const places = placesIn(holder);
    const [container, key] = random.pick(places);
    change(container, key, random, live);
  }
  return write(holder.body);
}

function change(container: Container, key: string, random: Random, live: LiveState): void {
  const members = container as Record<string, unknown>;
  const value = members[key];
  switch (random.below(8)) {
    case 0:
      if (Array.isArray(container)) container.splice(Number(key), 1);
      // the whole body stays something
      else if (key !== "body") Reflect.deleteProperty(members, key);
      return;
    case 1:
      if (Array.isArray(container)) container.push(value);
      else members[random.pick(["limit", "cursor", "data", "pk", "sk", "x", "constructor", ""])] = value;
      return;
    case 2:
      if (Array.isArray(value))
        members[key] = Array.from({ length: 1 + random.size(200) }, (): unknown => value[0] ?? null);
      else if (typeof value === "string") members[key] = value.repeat(random.size(300));
      else members[key] = [value];
      return;
    case 3:
      members[key] = new Written("[".repeat(random.size(2000)) || "{}");
      if (random.once(2)) members[key] = new Written(`${"[".repeat(50)}${"]".repeat(50)}`);
      return;
    case 4:
      members[key] = live.any(random);
      return;
    case 5:
      if (typeof value === "string") members[key] = changeText(value, random);
      else if (typeof value === "number")
        members[key] = random.pick([-value, value + 0.5, value * 1e18, value - 1, value + 1]);
      else members[key] = typeof value === "boolean" ? !value : {};
      return;
    default:
      members[key] = new Written(random.pick(oddJson));
  }
}

function changeText(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const odd = random.pick([
    "'",
    '"',
    "(",
    ")",
    ":",
    "%",
    "\u0000",
    "ß",
    "\ud83d\ude00",
    " ",
    "$",
    "*",
    "9",
    "--",
    "\\",
    "?",
  ]);
  return random.once(3) ? text.slice(0, at) : text.slice(0, at) + odd + text.slice(at + random.below(2));
}

function placesIn(container: Container): (readonly [Container, string])[] {
  return Object.entries(container).flatMap(([key, value]) => [
    [container, key] as const,
    ...(typeof value === "object" && value !== null && !(value instanceof Written)
      ? placesIn(value as Container)
      : []),
  ]);
}

function write(value: unknown): string {
  if (value instanceof Written) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join()}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .map(([key, inside]) => `${JSON.stringify(key)}:${write(inside)}`)
      .join()}}`;
  return value === undefined ? "null" : JSON.stringify(value);
}
