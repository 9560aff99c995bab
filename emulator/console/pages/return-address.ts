import { isPageAddress, type ReturnAddresses } from "../../billing/return-addresses.js";
import type { ConsoleContext } from "../environment.js";
import type { Visit } from "../visit.js";

/** Where a page that somebody was sent to leads back. */
export class ReturnAddress {
  /** The page of this machine that the visitor came from, where that is none of the console. */
  readonly from: string;
  readonly #settings: ReturnAddresses;

  constructor(settings: ReturnAddresses, from: string) {
    this.#settings = settings;
    this.from = from;
  }

  /** The address of what the control plane says, else of the page before; nothing where neither is known. */
  to(name: keyof ReturnAddresses, checkoutId = ""): string | undefined {
    const set = this.#settings[name]?.replaceAll("{checkoutId}", encodeURIComponent(checkoutId));
    return set ?? (this.from === "" ? undefined : this.from);
  }

  /** Where forms of the page may lead to. */
  origins(): string[] {
    const { successUrl, cancelUrl, portalReturnUrl } = this.#settings;
    const known = [successUrl, cancelUrl, portalReturnUrl, this.from].filter(
      (address): address is string => address !== null && address !== "",
    );
    return [...new Set(known.map((address) => new URL(address).origin))];
  }
}

/** Where the page of a checkout or portal leads back; lets its forms lead there. */
export async function returnAddressOf(c: ConsoleContext): Promise<ReturnAddress> {
  const carried = c.get("fields").from ?? c.req.query("from");
  const back = await findReturnAddress(c.get("visit"), carried, c.req.header("referer"));
  c.set("formTargets", back.origins());
  return back;
}

/**
 * @param carried what a form or an address of the page itself says of where the visit began
 * @param referer the header of the request
 */
export async function findReturnAddress(
  visit: Visit,
  carried: string | undefined,
  referer: string | undefined,
): Promise<ReturnAddress> {
  const { body } = await visit.ask("GET", "/_emulator/return-addresses");
  const from = [carried, referer].find(
    (address) =>
      address !== undefined &&
      isPageAddress(address) &&
      // anybody can put an address into a link; those of other machines have to be registered
      isLoopback(new URL(address).hostname) &&
      !address.startsWith(visit.origin + visit.base),
  );
  return new ReturnAddress(body as ReturnAddresses, from ?? "");
}

function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
