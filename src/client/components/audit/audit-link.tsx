import type { AuditSubjectType } from "@shared/audit.ts";
import { hasPermission } from "@shared/roles.ts";
import { type LucideIcon, ScrollText, UserPen } from "lucide-react";
import { Link } from "wouter";
import { Button } from "@/components/ui/button";
import { useCurrentUser } from "@/session/session";

type AuditLinkProps = {
  subject: { readonly type: AuditSubjectType; readonly id: string };
  /** Only what was done by the calls of this router. */
  action?: string;
};

/** Leads those who may read the audit log to what was ever done with something. */
export function AuditLink({ subject, action }: AuditLinkProps) {
  const filter = {
    subjectType: subject.type,
    subjectId: subject.id,
    ...(action === undefined ? {} : { action }),
  };
  return <EntriesLink text="操作记录" icon={ScrollText} size="md" filter={filter} />;
}

/** Of a user there are two kinds: what was done to it, and what it did itself. */
export function UserAuditLinks({ userId }: { userId: string }) {
  return (
    <>
      <EntriesLink
        text="对此用户的操作"
        icon={ScrollText}
        size="sm"
        filter={{ subjectType: "user", subjectId: userId }}
      />
      <EntriesLink text="此用户的操作" icon={UserPen} size="sm" filter={{ actorId: userId }} />
    </>
  );
}

type EntriesLinkProps = {
  text: string;
  icon: LucideIcon;
  size: "sm" | "md";
  filter: Readonly<Record<string, string>>;
};

function EntriesLink({ text, icon: Icon, size, filter }: EntriesLinkProps) {
  const { role } = useCurrentUser();
  if (!hasPermission(role, "audit:read")) return null;

  const query = new URLSearchParams({ period: "dates", ...filter });
  return (
    <Button variant="outline" size={size} asChild>
      <Link href={`/audit?${query}`}>
        <Icon />
        <span>{text}</span>
      </Link>
    </Button>
  );
}
