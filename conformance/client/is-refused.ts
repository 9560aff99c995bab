/** Whether an answer turns the request down, in whatever words; a service that failed has not. */
export function isRefused({ status }: { readonly status: number }): boolean {
  return status >= 400 && status < 500;
}
