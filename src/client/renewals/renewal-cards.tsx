import { Button } from "@/components/ui/button";
import { CardsFrame } from "./cards-frame";
import { OperatorActions } from "./operator-actions";
import { RenewalCard } from "./renewal-card";
import type { RenewalRowsProps } from "./renewal-table";

/** The table's rows, one request under the other. */
export function RenewalCards({ renewals, decisions, onOpen, isStale, empty }: RenewalRowsProps) {
  return (
    <CardsFrame renewals={renewals} isStale={isStale} empty={empty}>
      {(renewal) => (
        <RenewalCard renewal={renewal} showsUser>
          {decisions === null ? null : <OperatorActions renewal={renewal} decisions={decisions} />}
          <Button variant="outline" onClick={() => onOpen(renewal.id)}>
            详情
          </Button>
        </RenewalCard>
      )}
    </CardsFrame>
  );
}
