import type { Renewal } from "@shared/renewals.ts";
import { AdminContact } from "@/components/admin-contact";
import { hostTitle } from "@/components/hosts/host-facts";
import { useResponsibleAdmin } from "@/components/use-responsible-admin";

type PaymentLineProps = { renewal: Pick<Renewal, "host" | "requestedDuration"> };

/** What a client pays for, how, and whom to call. */
export function PaymentLine({ renewal: { host, requestedDuration } }: PaymentLineProps) {
  const admin = useResponsibleAdmin();
  const what = `“${hostTitle(host)}”续费 ${requestedDuration} 天`;

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1 text-sm">
      <p className="[overflow-wrap:anywhere]">
        {`${what}：请联系${admin}付款，确认后到期时间自动延长。`}
      </p>
      <AdminContact />
    </div>
  );
}
