/** Whether an answer says that the request was done, with whatever status. */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}
