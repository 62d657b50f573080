import { describe, expect, it } from "vitest";
import { ruleSentences } from "../../src/client/features/notice-settings/rules/rule-texts.ts";
import { buildReminderSettings } from "../harness/reminders.ts";

describe("what the rules of reminders mean", () => {
  it("names the days, the time and everybody who is told", () => {
    expect(ruleSentences(buildReminderSettings())).toEqual([
      "分配到期：到期前 30、7、3、1 天和当天 09:00 提醒客户、其负责人和超级管理员，到期次日再提醒一次。",
      "云端到期：到期前 30、7、3、1 天和当天 09:00 提醒超级管理员，到期次日再提醒一次。",
    ]);
  });

  it.each([
    [[7], "分配到期：到期前 7 天的 09:00 提醒客户，到期次日再提醒一次。"],
    [[0], "分配到期：到期当天 09:00 提醒客户，到期次日再提醒一次。"],
    [[], "分配到期：没有提醒天数，不提醒。"],
  ])("says when for the marks %j, and that others hear nothing", (assignmentMarks, sentence) => {
    const recipients = { client: true, admin: false, superAdmin: false };

    expect(ruleSentences(buildReminderSettings({ assignmentMarks, recipients }))).toEqual([
      sentence,
      "云端到期：没有接收人，不提醒。",
    ]);
  });

  it("calls the admin that of the client where the client is not told", () => {
    const recipients = { client: false, admin: true, superAdmin: false };

    const [sentence] = ruleSentences(buildReminderSettings({ recipients }));

    expect(sentence).toContain("提醒客户的负责人，");
  });
});
