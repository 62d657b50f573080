import { useCurrentUser } from "@/session/session";
import { CallLink } from "./call-link";
import { EmailLink } from "./contact-links";

interface Contact {
  readonly phone?: string | null;
  readonly email?: string | null;
}

/** How a client reaches the responsible admin; nothing where neither way is known. */
export function AdminContact() {
  const { phone = null, email = null }: Contact = useCurrentUser().admin ?? {};
  if (phone === null && email === null) return null;

  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-3 gap-y-1">
      {phone === null ? null : <CallLink phone={phone} />}
      {email === null ? null : <EmailLink email={email} />}
    </span>
  );
}
