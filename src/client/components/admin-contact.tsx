import { trpc } from "@/api/trpc";
import { EmailLink, PhoneLink } from "@/components/contact-links";

/**
 * How a client reaches the responsible admin, whom the text before it names; nothing without one.
 * Asked anew where it is shown: no event tells a client that the number of an admin has changed.
 */
export function AdminContact() {
  const { data } = trpc.auth.me.useQuery();
  const admin = data?.admin ?? null;
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
