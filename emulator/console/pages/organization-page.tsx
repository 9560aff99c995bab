import type { Child } from "hono/jsx";
import { EmptyState } from "../../../openapi/html/components.js";
import { attemptOrShowRefusal, type ConsoleContext } from "../environment.js";
import { Form } from "../form.js";
import { Link, type Page, createPageHandler } from "../page.js";
import type { ConsoleOrganization, PageVisit } from "../page-visit.js";

/** Creates a page about one organization, with a form to choose another. */
export function createOrganizationPage(
  options: Omit<Page, "content">,
  show: (visit: PageVisit, organization: ConsoleOrganization, c: ConsoleContext) => Promise<Child | Response>,
) {
  return createPageHandler(async (c, visit) => {
    const chosen = await visit.organization(visit.query.organization);
    if (chosen === undefined) return { ...options, content: <NoOrganization /> };
    const organizations = await visit.organizations();
    const content = await attemptOrShowRefusal(c, () => show(visit, chosen, c));
    if (content instanceof Response) return content;
    return {
      ...options,
      content: (
        <>
          <OrganizationPicker organizations={organizations} chosen={chosen} section={options.section ?? ""} />
          {content}
        </>
      ),
    };
  });
}

function NoOrganization() {
  return (
    <EmptyState title="No organizations yet">
      <Link to="/people">Create a user</Link>: every user has a personal organization.
    </EmptyState>
  );
}

interface OrganizationChoiceProps {
  readonly organizations: readonly ConsoleOrganization[];
  readonly chosen: ConsoleOrganization;
  readonly section: string;
}

/** A form to choose the organization of a page. Personal organizations are listed last. */
export function OrganizationPicker({ organizations, chosen, section }: OrganizationChoiceProps) {
  const options = [...organizations]
    .sort((one, other) => Number(one.isPersonal) - Number(other.isPersonal))
    .map(({ organizationId, name, plan }) => [organizationId, `${name} · ${plan}`] as const);
  return (
    <Form
      search={section}
      values={{ organization: chosen.organizationId }}
      fields={{ organization: { label: "Organization", options } }}
      submit="Show"
    />
  );
}
