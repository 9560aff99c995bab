import { isPageAddress, type ReturnAddresses } from "../../billing/return-addresses.js";
import type { ConsoleContext } from "../environment.js";

/** Where a page that somebody was sent to leads back. */
export interface WayBack {
  /** The page of this machine that the visitor came from, where that is none of the console. */
  readonly from: string | undefined;
  /** The address of what the control plane says, else of the page before; nothing where neither is known. */
  readonly to: (name: keyof ReturnAddresses, checkoutId?: string) => string | undefined;
}

/** Finds where the page of a checkout or portal leads back, and lets its forms lead there. */
export async function findWayBack(c: ConsoleContext): Promise<WayBack> {
  const visit = c.get("visit");
  const settings: ReturnAddresses = await visit.read("getReturnAddresses");
  const from = [visit.query.from, c.req.header("referer")].find(
    (address) =>
      address !== undefined &&
      isPageAddress(address) &&
      // anybody can put an address into a link; those of other machines have to be registered
      isLoopback(new URL(address).hostname) &&
      !address.startsWith(visit.origin + visit.link("")),
  );
  const { successUrl, cancelUrl, portalReturnUrl } = settings;
  const known = [successUrl, cancelUrl, portalReturnUrl, from].filter(
    (address) => typeof address === "string",
  );
  c.set("formTargets", [...new Set(known.map((address) => new URL(address).origin))]);
  return {
    from,
    to: (name, checkoutId = "") =>
      settings[name]?.replaceAll("{checkoutId}", encodeURIComponent(checkoutId)) ?? from,
  };
}

function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
