import { RENEWAL_DAYS } from "@shared/renewals.ts";
import type { ReactNode } from "react";
import { type Control, useWatch } from "react-hook-form";
import { FormField } from "@/components/ui/form-field";
import { Input } from "@/components/ui/input";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Textarea } from "@/components/ui/textarea";
import { hostTitle } from "@/hosts/host-tab";
import { useNow } from "@/lib/use-now";
import { trpc } from "@/trpc";
import { type ApplyForm, validDays } from "./apply-form";
import { ExpiryPreview } from "./expiry-preview";
import { OwnHostPicker } from "./own-host-picker";
import { useWaitingHosts } from "./use-waiting-hosts";

type ApplyFieldsProps = {
  control: Control<ApplyForm>;
  isHostSettled: boolean;
  /** Below the host: why nothing can be asked for it. */
  obstacle: ReactNode;
};

export function ApplyFields({ control, isHostSettled, obstacle }: ApplyFieldsProps) {
  const hostId = useWatch({ control, name: "hostId" });
  const host = trpc.hosts.get.useQuery({ id: hostId }, { enabled: hostId !== "" });
  const waiting = useWaitingHosts();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <FormField control={control} name="hostId" label="主机" required>
        {({ value, onChange, ref }) => (
          <OwnHostPicker
            ref={ref}
            value={value}
            onValueChange={onChange}
            selectedName={host.data === undefined ? undefined : hostTitle(host.data)}
            waiting={waiting}
            disabled={isHostSettled}
          />
        )}
      </FormField>
      {obstacle}
      <DaysFields control={control} />
      <Preview control={control} expiry={hostId === "" ? null : (host.data?.expireTime ?? null)} />
      <FormField control={control} name="remark" label="备注">
        {(field) => <Textarea rows={3} maxLength={500} placeholder="选填，最多 500 个字符" {...field} />}
      </FormField>
    </div>
  );
}

function DaysFields({ control }: Pick<ApplyFieldsProps, "control">) {
  const choice = useWatch({ control, name: "choice" });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <FormField control={control} name="choice" label="续费天数" required>
        {({ value, onChange }) => (
          <SegmentedControl
            aria-label="续费天数"
            className="w-full"
            value={value}
            onValueChange={onChange}
            segments={choices}
          />
        )}
      </FormField>
      {choice === "custom" ? (
        <FormField
          control={control}
          name="customDays"
          label="自定义天数"
          labelHidden
          help={`${RENEWAL_DAYS.min}-${RENEWAL_DAYS.max} 天`}
        >
          {(field) => (
            <Input
              inputMode="numeric"
              autoComplete="off"
              autoFocus
              maxLength={6}
              trailing={<span className="px-2">天</span>}
              {...field}
            />
          )}
        </FormField>
      ) : null}
    </div>
  );
}

function Preview({ control, expiry }: Pick<ApplyFieldsProps, "control"> & { expiry: number | null }) {
  const now = useNow();
  const choice = useWatch({ control, name: "choice" });
  const customDays = useWatch({ control, name: "customDays" });
  const days = validDays({ choice, customDays });
  if (expiry === null || days === null) {
    return (
      <p className="rounded-md bg-muted px-3.5 py-2.5 text-sm text-muted-foreground">
        {expiry === null ? "选择主机后显示续费后的到期时间" : "填写续费天数后显示续费后的到期时间"}
      </p>
    );
  }
  return <ExpiryPreview expiry={expiry} days={days} now={now} when="续费后" />;
}

const choices = [
  ...RENEWAL_DAYS.choices.map((days) => ({ value: `${days}` as const, label: `${days} 天` })),
  { value: "custom" as const, label: "自定义" },
];
