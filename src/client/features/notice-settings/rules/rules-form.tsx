import { MAX_MARKS, ReminderSettings } from "@shared/reminders.ts";
import { BellOff, BellRing, RotateCcw } from "lucide-react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { CardContent, CardFooter } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { SwitchField } from "@/components/ui/switch";
import { MarksField } from "./marks-field";
import { DEFAULT_RULES } from "./rule-edits";
import { ruleSentences } from "./rule-texts";
import { useRuleEdits } from "./use-rule-edits";

type Edits = ReturnType<typeof useRuleEdits>;

/** When who is reminded, and in words what that means. */
export function RulesForm({ stored }: { stored: ReminderSettings }) {
  const edits = useRuleEdits(stored);
  const { rules, errors, edit } = edits;

  return (
    <form
      noValidate
      className="contents"
      onSubmit={(event) => {
        event.preventDefault();
        if (!edits.isSaving) void edits.save();
      }}
    >
      <CardContent className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <SwitchField
          label="自动提醒"
          description="到期之前和之后，自动通知相关的人"
          checked={rules.isActive}
          onCheckedChange={(isActive) => edit({ isActive })}
        />
        <Meaning rules={rules} />
        <MarksField
          label="分配到期提醒"
          help={`分配到期前的天数，0 为到期当天，最多 ${MAX_MARKS} 个；全部移除则不提醒`}
          schema={ReminderSettings.shape.assignmentMarks}
          marks={rules.assignmentMarks}
          error={errors.get("assignmentMarks")}
          onChange={(assignmentMarks) => edit({ assignmentMarks })}
        />
        <MarksField
          label="云端到期提醒"
          help="主机在云服务商处到期前的天数，只提醒超级管理员"
          schema={ReminderSettings.shape.hostMarks}
          marks={rules.hostMarks}
          error={errors.get("hostMarks")}
          onChange={(hostMarks) => edit({ hostMarks })}
        />
        <Field label="发送时间" help="北京时间" error={errors.get("sendAt")}>
          <Input
            type="time"
            className="w-32"
            value={rules.sendAt}
            onChange={({ target }) => edit({ sendAt: target.value })}
          />
        </Field>
        <Recipients edits={edits} />
        {edits.isOvertaken ? (
          <Alert live>规则刚刚被其他人修改，您没有改动的项目已更新；您的修改还没有保存。</Alert>
        ) : null}
        {edits.isChanged && edits.rules.isActive ? (
          <p className="text-sm text-muted-foreground">
            保存后立即按新规则检查今天的提醒，今天的发送时间已过的会马上发出；已发出的不会重复。
          </p>
        ) : null}
      </CardContent>
      <CardFooter className="flex-wrap">
        <Button type="submit" loading={edits.isSaving} disabled={!edits.isChanged}>
          保存
        </Button>
        {edits.isChanged ? (
          <Button variant="outline" onClick={edits.discard}>
            放弃修改
          </Button>
        ) : null}
        <Button variant="ghost" className="ml-auto" onClick={() => edit(DEFAULT_RULES)}>
          <RotateCcw />
          恢复默认
        </Button>
      </CardFooter>
    </form>
  );
}

function Meaning({ rules }: { rules: ReminderSettings }) {
  const Icon = rules.isActive ? BellRing : BellOff;
  const sentences = rules.isActive
    ? ruleSentences(rules)
    : ["自动提醒已关闭，到期之前和之后都不会自动通知任何人。"];

  return (
    <div
      aria-live="polite"
      className="flex items-start gap-2.5 rounded-md bg-muted px-3.5 py-2.5 text-sm text-muted-foreground"
    >
      <Icon className="mt-0.5 size-4 shrink-0" />
      <div className="grid gap-1">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </div>
  );
}

function Recipients({ edits: { rules, edit } }: { edits: Edits }) {
  const { client, admin, superAdmin } = rules.recipients;

  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">接收人</legend>
      <SwitchField
        label="C端用户"
        description="自己的分配到期；已有未完成的续费申请时不提醒"
        checked={client}
        onCheckedChange={(checked) => edit({ recipients: { client: checked } })}
      />
      <SwitchField
        label="负责管理员"
        description="所负责的C端用户的分配到期"
        checked={admin}
        onCheckedChange={(checked) => edit({ recipients: { admin: checked } })}
      />
      <SwitchField
        label="超级管理员"
        description="全部分配到期与云端到期"
        checked={superAdmin}
        onCheckedChange={(checked) => edit({ recipients: { superAdmin: checked } })}
      />
    </fieldset>
  );
}
