import type { AuditSubjectType } from "@shared/audit.ts";
import { hasPermission } from "@shared/roles.ts";
import { ScrollText } from "lucide-react";
import { Link } from "wouter";
import { Button } from "@/components/ui/button";
import { useCurrentUser } from "@/session/session";

type AuditLinkProps = {
  subject: { readonly type: AuditSubjectType; readonly id: string };
  /** Only what was done by the calls of this router. */
  action?: string;
  size?: "sm" | "md";
};

/** Leads those who may read the audit log to what was ever done with something. */
export function AuditLink({ subject, action, size = "md" }: AuditLinkProps) {
  const { role } = useCurrentUser();
  if (!hasPermission(role, "audit:read")) return null;

  const query = new URLSearchParams({
    period: "dates",
    subjectType: subject.type,
    subjectId: subject.id,
    ...(action === undefined ? {} : { action }),
  });
  return (
    <Button variant="outline" size={size} asChild>
      <Link href={`/audit?${query}`}>
        <ScrollText />
        操作记录
      </Link>
    </Button>
  );
}
