const usage = `Usage:
  npm run mock -- [--port 4010] [options of "prism mock"]
  npm run proxy -- URL [--port 4010] [options of "prism proxy"]

Both go by the strict document of the default profile. The proxy prints what breaks it in lines that
begin with "Violation: request" or "Violation: response", and adds it to the answer as the header sl-violations.`;

/** What to do about a command line: run Prism, print help, or say what is wrong with it. */
export type PrismCommand =
  { readonly arguments: readonly string[] } | { readonly help: string } | { readonly mistake: string };

/**
 * Turns our command line into Prism's. The port is 4010 unless another is given; `--errors` stays off, so that the
 * proxy reports violations and changes no answer.
 */
export function prismArguments([command, ...given]: readonly string[], contract: string): PrismCommand {
  if (command === "--help" || given.includes("--help")) return { help: usage };
  const port = given.some((word) => /^(-p|--port)(=|$)/.test(word)) ? [] : ["--port", "4010"];
  switch (command) {
    case "mock":
      return { arguments: ["mock", contract, ...port, ...given] };
    case "proxy": {
      const [url, ...options] = given;
      if (url === undefined || url.startsWith("-"))
        return mistake("npm run proxy needs the base URL of the deployment to watch, before any option");
      if (!/^https?:$/.test(protocolOf(url)))
        return mistake(`"${url}" is no base URL; write it with http:// or https://`);
      return { arguments: ["proxy", contract, url, ...port, ...options] };
    }
    default:
      return mistake(command === undefined ? "a command is missing" : `there is no command "${command}"`);
  }
}

function mistake(what: string): { readonly mistake: string } {
  return { mistake: `${what}.\nExample: npm run proxy -- http://127.0.0.1:4100\n\n${usage}` };
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}
