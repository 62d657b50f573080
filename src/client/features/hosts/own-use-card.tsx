import type { Host } from "@shared/hosts.ts";
import { CalendarClock } from "lucide-react";
import { AdminContact } from "@/components/admin-contact";
import { DescriptionList } from "@/components/description-list";
import { ExpiryDate } from "@/components/hosts/expiry-date";

import { FactCard } from "./host-cards";

/** Until when a client has the host, and whom to call about it. */
export function OwnUseCard({ host: { expireTime } }: { host: Host }) {
  return (
    <FactCard title="使用期限" icon={CalendarClock} className="xl:col-span-2">
      <DescriptionList
        className="lg:grid-cols-2"
        items={[
          { label: "到期", value: <ExpiryDate at={expireTime} /> },
          { label: "联系人", value: <AdminContact /> },
        ]}
      />
    </FactCard>
  );
}
