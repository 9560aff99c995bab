import { spawn } from "node:child_process";
import { printError } from "./print.js";

/** Opens a page in the browser of whoever started us; where there is none, they still have the address. */
export function openInBrowser(url: string): void {
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  const opener = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  opener.on("error", () => printError(`no browser could be opened; the console is at ${url}\n`));
  opener.unref();
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  // the first text in quotes is a title
  win32: ["cmd", "/c", "start", ""],
};
