import type { Host } from "@shared/hosts.ts";
import { RENEWAL_DAYS } from "@shared/renewals.ts";
import { RenewalButton } from "@/components/renewals/renewal-button";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/lib/lazy";
import { useDialog } from "@/lib/use-dialog";
import { useMedia } from "@/lib/use-media";

const RenewalApplyDialog = lazyDialog(() =>
  import("@/components/renewals/renewal-apply-dialog").then((m) => m.RenewalApplyDialog),
);

/** A client's way to more time; on a phone the quick choices of days are there at once. */
export function OwnRenewal({ host }: { host: Host }) {
  const isPhone = useMedia("(max-width: 39.99rem)");
  const { show, dialog } = useDialog<"apply", number>();
  const apply = dialog("apply");

  return (
    <div className="grid gap-2">
      {isPhone && host.openRenewal === null ? (
        <fieldset aria-label="按天数申请续费" className="grid grid-cols-4 gap-2">
          {RENEWAL_DAYS.choices.map((days) => (
            <Button key={days} variant="outline" onClick={() => show("apply", days)}>
              {`续 ${days} 天`}
            </Button>
          ))}
        </fieldset>
      ) : null}
      <RenewalButton host={host} variant="primary" size="md" />
      {apply === null ? null : (
        <RenewalApplyDialog
          key={apply.subject}
          hostId={host.id}
          open={apply.open}
          onOpenChange={apply.onOpenChange}
          subject={{ requestedDuration: apply.subject, remark: null }}
        />
      )}
    </div>
  );
}
