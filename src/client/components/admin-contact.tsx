import { useCurrentUser } from "@/session/session";
import { CallLink } from "./call-link";
import { EmailLink } from "./contact-links";

interface Contact {
  readonly name: string;
  readonly phone?: string | null;
  readonly email?: string | null;
}

/** Whom a client asks and pays: the responsible admin, with the ways to reach that person. */
export function AdminContact() {
  const admin: Contact | null = useCurrentUser().admin;
  if (admin === null) return "管理员";

  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      <span>{admin.name}</span>
      {admin.phone ? <CallLink phone={admin.phone} /> : null}
      {admin.email ? <EmailLink email={admin.email} /> : null}
    </span>
  );
}
