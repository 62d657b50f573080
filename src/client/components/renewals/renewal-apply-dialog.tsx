import type { Host, HostList } from "@shared/hosts.ts";
import { Id } from "@shared/ids.ts";
import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { CreateRenewalInput, RENEWAL_DAYS, type Renewal } from "@shared/renewals.ts";
import { limitedText } from "@shared/text.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { type Ref, useEffect, useState } from "react";
import { useController, useFormContext } from "react-hook-form";
import { z } from "zod";
import { trpc } from "@/api/trpc";
import { Combobox } from "@/components/combobox";
import { DaysField } from "@/components/days-field";
import { isMissing } from "@/components/error-state";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { FormField } from "@/components/form-field";
import { hostTitle } from "@/components/hosts/host-facts";
import { Alert } from "@/components/ui/alert";
import { Textarea } from "@/components/ui/textarea";
import { formatExpiry } from "@/lib/format";
import { notify } from "@/lib/notify";
import { useDebounced } from "@/lib/use-debounced";
import type { DialogProps } from "@/lib/use-dialog";
import { ExtensionPreview } from "./extension-preview";
import { PROMISE } from "./renewal-promise";
import { useLastDays } from "./use-last-days";

const DaysText = z
  .string()
  .trim()
  .regex(/^\d+$/, "续费天数必须是整数")
  .transform(Number)
  .pipe(CreateRenewalInput.shape.requestedDuration);
const ApplyForm = z.object({
  hostId: Id.or(z.literal("")).refine((id) => id !== "", "请选择主机"),
  requestedDuration: DaysText,
  remark: limitedText("备注", 500),
});

type RenewalApplyDialogProps = DialogProps & {
  /** A fixed host; without it the client picks one of the own hosts. */
  hostId?: string;
  /** A former request, whose days and remark the form begins with. */
  subject?: Pick<Renewal, "requestedDuration" | "remark">;
};

/** A client asks for more time on an own host. */
export function RenewalApplyDialog({ hostId, subject, ...dialog }: RenewalApplyDialogProps) {
  const create = trpc.renewals.create.useMutation();
  const fixedHost = trpc.hosts.get.useQuery(
    { id: hostId ?? "" },
    { enabled: dialog.open && hostId !== undefined },
  );
  const isTakenAway = isMissing(fixedHost.error);
  const own = useOwnHosts("", { enabled: dialog.open && hostId === undefined }).data;
  const hasNoHosts = own?.pagination.total === 0;
  const onlyHostId = onlyChoice(own);
  const { lastDays, rememberDays } = useLastDays();

  return (
    <FormDialog
      {...dialog}
      title="申请续费"
      draft={`renewals.create:${hostId ?? ""}`}
      description={PROMISE}
      schema={ApplyForm}
      defaultValues={{
        hostId: hostId ?? "",
        requestedDuration: String(subject?.requestedDuration ?? lastDays),
        remark: subject?.remark ?? "",
      }}
      submitLabel="提交申请"
      submitProps={(values) => ({ disabled: isTakenAway || (hasNoHosts && values.hostId === "") })}
      errorTitle={hostId === undefined ? "申请失败" : "续费申请失败"}
      onSubmit={async (values) => {
        const { host, requestedDuration } = await create.mutateAsync(values);
        rememberDays(requestedDuration);
        notify.success("续费申请已提交", {
          message: `“${hostTitle(host)}”续费 ${requestedDuration} 天，${PROMISE}`,
        });
      }}
    >
      {() =>
        isTakenAway ? (
          <Alert tone="warning" live>
            这台主机已不再分配给您，不能申请续费。
          </Alert>
        ) : (
          <ApplyFields
            isHostFixed={hostId !== undefined}
            hasNoHosts={hasNoHosts}
            onlyHostId={onlyHostId}
          />
        )
      }
    </FormDialog>
  );
}

type ApplyFieldsProps = {
  isHostFixed: boolean;
  hasNoHosts: boolean;
  onlyHostId: string | undefined;
};

function ApplyFields({ isHostFixed, hasNoHosts, onlyHostId }: ApplyFieldsProps) {
  const { control, getValues, resetField, watch } = useFormContext<z.input<typeof ApplyForm>>();
  const { hostId, requestedDuration } = watch();
  const host = trpc.hosts.get.useQuery({ id: hostId }, { enabled: hostId !== "" });
  // As a default: there is nothing to lose yet.
  useEffect(() => {
    if (onlyHostId !== undefined && getValues("hostId") === "") {
      resetField("hostId", { defaultValue: onlyHostId });
    }
  }, [onlyHostId, getValues, resetField]);

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <FormField control={control} name="hostId" label="主机" required>
        {({ value, onChange, ref }) => (
          <OwnHostPicker
            ref={ref}
            value={value}
            onValueChange={onChange}
            selectedName={host.data === undefined ? undefined : hostTitle(host.data)}
            disabled={isHostFixed}
          />
        )}
      </FormField>
      {hasNoHosts && hostId === "" ? (
        <Alert tone="info" live>
          还没有主机分配给您，暂时不能申请续费。
        </Alert>
      ) : null}
      <DaysField
        {...useController({ control, name: "requestedDuration" })}
        label="续费天数"
        choices={RENEWAL_DAYS.choices}
        help={`${RENEWAL_DAYS.min}-${RENEWAL_DAYS.max} 天`}
      />
      <Preview
        expiry={hostId === "" ? null : (host.data?.expireTime ?? null)}
        days={DaysText.safeParse(requestedDuration).data ?? null}
      />
      <FormField control={control} name="remark" label="备注">
        {(field) => <Textarea placeholder="选填，最多 500 个字符" {...field} />}
      </FormField>
    </div>
  );
}

type OwnHostPickerProps = {
  /** "" for none. */
  value: string;
  onValueChange: (hostId: string) => void;
  /** The name of a value that is not among the options. */
  selectedName: string | undefined;
  disabled: boolean;
  ref: Ref<HTMLButtonElement>;
};

/** The caller's own hosts, searched by the server. */
function OwnHostPicker({ value, onValueChange, selectedName, disabled, ref }: OwnHostPickerProps) {
  const [search, setSearch] = useState("");
  const searched = useDebounced(search.trim());
  const hosts = useOwnHosts(searched, { enabled: !disabled });

  return (
    <Combobox
      ref={ref}
      disabled={disabled}
      value={value === "" ? null : value}
      onValueChange={(hostId) => onValueChange(hostId ?? "")}
      options={(hosts.data?.hosts ?? []).map(optionOf)}
      selectedLabel={selectedName ?? "加载中..."}
      onSearchChange={setSearch}
      query={hosts}
      isOutdated={search.trim() !== searched || hosts.isPlaceholderData}
      emptyText={searched === "" ? "还没有主机分配给您" : "没有匹配的主机"}
      placeholder="选择要续费的主机"
      searchPlaceholder="搜索主机名称或资源 ID"
    />
  );
}

/** The id of the only own host, if it can be chosen. */
function onlyChoice(own: HostList | undefined): string | undefined {
  const [first] = own?.hosts ?? [];
  if (first === undefined || own?.pagination.total !== 1) return undefined;
  return refusalOf(first) === null ? first.id : undefined;
}

/** What is gone or has an open request is shown, with the reason why it cannot be chosen. */
function optionOf(host: Host) {
  const refusal = refusalOf(host);
  return {
    value: host.id,
    label: hostTitle(host),
    description: `${host.ucloudId} · ${refusal ?? formatExpiry(host.expireTime)}`,
    disabled: refusal !== null,
  };
}

function refusalOf({ goneAt, openRenewal }: Host): string | null {
  if (goneAt !== null) return "在云服务商处已不存在";
  if (openRenewal === null) return null;
  return openRenewal.status === "approved" ? "已有申请，待付款" : "已有申请，待处理";
}

/** One page of the caller's own hosts; all of them without a search. */
function useOwnHosts(search: string, { enabled }: { enabled: boolean }) {
  return trpc.hosts.list.useQuery(
    { limit: MAX_PAGE_SIZE, search },
    { placeholderData: keepPreviousData, enabled },
  );
}

function Preview({ expiry, days }: { expiry: number | null; days: number | null }) {
  if (expiry !== null && days !== null) {
    return <ExtensionPreview expiry={expiry} days={days} when="续费后" />;
  }
  return (
    <p className="rounded-md bg-muted px-3.5 py-2.5 text-sm text-muted-foreground">
      {expiry === null ? "选择主机后显示续费后的到期时间" : "填写续费天数后显示续费后的到期时间"}
    </p>
  );
}
