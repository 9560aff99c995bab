import { createInvalidBodyProblem } from "../domain/problem.js";

/** The URLs to which the checkout and portal pages return; null if unset. */
export interface ReturnAddresses {
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly portalReturnUrl: string | null;
}

export const noReturnAddresses: ReturnAddresses = {
  successUrl: null,
  cancelUrl: null,
  portalReturnUrl: null,
};

/** @throws a problem `validation-failed` if a value is not the address of a page */
export function parseReturnUrls(given: {
  readonly [Name in keyof ReturnAddresses]?: string | null | undefined;
}): ReturnAddresses {
  const read = (name: keyof ReturnAddresses): string | null => {
    const address = given[name] ?? null;
    if (address === null || isSafeWebUrl(address)) return address;
    throw createInvalidBodyProblem(
      `/${name}`,
      "must be an absolute http or https URL, such as http://localhost:3000/done",
    );
  };
  return {
    successUrl: read("successUrl"),
    cancelUrl: read("cancelUrl"),
    portalReturnUrl: read("portalReturnUrl"),
  };
}

/** Whether a page may link to a URL: it is not a script URL, and a content security policy can contain its host. */
export function isSafeWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { host, protocol } = new URL(text);
  return /^https?:$/.test(protocol) && /^[\w.:[\]-]+$/.test(host);
}
