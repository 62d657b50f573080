import type { ResponsibleAdmin } from "@shared/users.ts";
import { trpc } from "@/api/trpc";
import { EmailLink, PhoneLink } from "@/components/contact-links";

/**
 * The responsible admin of a client, with the contact; null without one. Asked anew where it is
 * shown: no event tells a client that the number of an admin has changed.
 */
export function useAdminContact(): ResponsibleAdmin | null {
  const { data } = trpc.auth.me.useQuery();
  return data?.admin ?? null;
}

/** How a client reaches the responsible admin, whom the text before it names. */
export function AdminContact() {
  const admin = useAdminContact();
  if (admin === null) return null;

  const { phone, email } = admin;
  if (phone === null && email === null) {
    return <p className="text-sm text-muted-foreground">系统中没有其手机号和邮箱。</p>;
  }

  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      {phone === null ? null : <PhoneLink phone={phone} />}
      {email === null ? null : <EmailLink email={email} />}
    </p>
  );
}
