import { isSafeWebUrl, type ReturnAddresses } from "../../billing/return-addresses.js";
import type { ConsoleContext } from "../environment.js";

/** Where a checkout or portal page returns to. */
export interface ReturnLinks {
  /** The page that the visitor came from, if it is on this machine and not part of the console. */
  readonly from: string | undefined;
  /** The address set in the control plane, or else `from`. */
  readonly to: (name: keyof ReturnAddresses, checkoutId?: string) => string | undefined;
}

/** Finds where a checkout or portal page returns to, and allows its forms to redirect there. */
export async function prepareReturnLinks(c: ConsoleContext): Promise<ReturnLinks> {
  const visit = c.get("visit");
  const settings: ReturnAddresses = await visit.read("getReturnAddresses");
  const from = [visit.query.from, c.req.header("referer")].find(
    (address) =>
      address !== undefined &&
      isSafeWebUrl(address) &&
      // A link can contain any address, so addresses on other machines must be registered.
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
