import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { useLeaveGuard } from "@/lib/use-leave-guard";

type ConfirmKeptProps = {
  doneLabel: string;
  /** Once the person has said that it is kept. */
  onDone: () => void;
};

/** Below a secret that is shown only once. Until it is kept, the page asks before it is left. */
export function ConfirmKept({ doneLabel, onDone }: ConfirmKeptProps) {
  const [isKept, setKept] = useState(false);
  const checkboxId = useId();
  useLeaveGuard(!isKept);

  return (
    <>
      <div className="flex items-center gap-2.5">
        <Checkbox
          id={checkboxId}
          checked={isKept}
          onCheckedChange={(checked) => setKept(checked === true)}
        />
        <label htmlFor={checkboxId}>我已保存</label>
      </div>
      <Button className="w-full" disabled={!isKept} onClick={onDone}>
        {doneLabel}
      </Button>
    </>
  );
}
