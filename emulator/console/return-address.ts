import type { components } from "../../openapi/generated/control-plane-types.js";
import { isPageAddress, type ReturnAddresses } from "../billing/return-addresses.js";
import type { Visit } from "./visit.js";

/** Where a page that somebody was sent to leads back. */
export class ReturnAddress {
  /** The page that the visitor came from, where that is none of the console. */
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
  const settings = body as components["schemas"]["ReturnAddresses"];
  const from = [carried, referer].find(
    (address) =>
      address !== undefined && isPageAddress(address) && !address.startsWith(visit.origin + visit.base),
  );
  return new ReturnAddress(settings, from ?? "");
}
