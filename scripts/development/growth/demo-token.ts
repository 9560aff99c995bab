/** An access token of the demo state's owner for the organization `org_demo_pro`. */
export async function demoToken(
  fetch: (path: string, init?: RequestInit) => Promise<Response>,
): Promise<string> {
  const signedIn = await fetch("/auth/password", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "owner@demo.test", password: "demo-password" }),
  });
  const { authResponse } = (await signedIn.json()) as { authResponse: { accessToken: string } };
  const switched = await fetch("/auth/switch-organization", {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${authResponse.accessToken}` },
    body: JSON.stringify({ organizationId: "org_demo_pro" }),
  });
  return ((await switched.json()) as { accessToken: string }).accessToken;
}
