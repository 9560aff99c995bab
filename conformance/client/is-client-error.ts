/** Whether a response refuses the request (4xx); a server error is not a refusal. */
export function isClientError({ status }: { readonly status: number }): boolean {
  return status >= 400 && status < 500;
}
