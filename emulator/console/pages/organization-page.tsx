import type { Child } from "hono/jsx";
import { Empty } from "../components.js";
import type { ConsoleContext } from "../environment.js";
import { Choice, Form } from "../form.js";
import { Link, type PageOptions, showPage } from "../page.js";
import type { Organization } from "../visit.js";

interface OrganizationPageOptions extends PageOptions {
  readonly chosen: Organization | undefined;
  /** Why there is nothing to see without an organization. */
  readonly nobody: string;
}

/** A page about one organization, with the choice of another. */
export async function showOrganizationPage(
  c: ConsoleContext,
  { chosen, nobody, ...options }: OrganizationPageOptions,
  content: Child,
) {
  if (chosen === undefined)
    return showPage(
      c,
      options,
      <Empty title="There is no organization yet">
        {nobody} <Link to="/people">Make a user</Link>, and there is one.
      </Empty>,
    );
  const all = await c.get("visit").organizations();
  return showPage(
    c,
    options,
    <>
      <OrganizationChoice to={options.section ?? ""} organizations={all} chosen={chosen} />
      {content}
    </>,
  );
}

interface OrganizationChoiceProps {
  /** The page that is shown for the organization. */
  readonly to: string;
  readonly organizations: readonly Organization[];
  readonly chosen: Organization;
}

/** Which organization a page is about; those of single users come last. */
export function OrganizationChoice({ to, organizations, chosen }: OrganizationChoiceProps) {
  const shared = organizations.filter(({ isPersonal }) => !isPersonal);
  const personal = organizations.filter(({ isPersonal }) => isPersonal);
  const options = [...shared, ...personal].map(
    ({ organizationId, name, plan }) => [organizationId, `${name} · ${plan}`] as const,
  );
  return (
    <Form to={to} isSearch values={{ organization: chosen.organizationId }}>
      <Choice label="Organization" name="organization" options={options} />
      <button>Show</button>
    </Form>
  );
}
