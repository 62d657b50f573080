import { describe, expect, it } from "vitest";
import {
  channelValues,
  createForm,
  editForm,
  newChannelValues,
} from "../../src/client/features/notice-settings/channels/channel-form.ts";
import type { NoticeChannel } from "../../src/shared/notice-channels.ts";
import { NoticeType } from "../../src/shared/notices.ts";

const MAIL: NoticeChannel = {
  id: "0198a000-0000-7000-8000-000000000001",
  name: "公司邮箱",
  type: "email",
  isActive: true,
  config: {
    host: "smtp.example.com",
    port: 465,
    security: "tls",
    user: "notice",
    password: "••••",
    sender: "notice@example.com",
  },
  types: NoticeType.options,
  lastDelivery: null,
  pausedUntil: null,
};

describe("the form of a channel", () => {
  it("sends of an edited configuration only what was changed, and no masked secret", () => {
    const values = channelValues(MAIL);
    const config = { ...values.config, port: "587", sender: "other@example.com" };

    const input = editForm(MAIL).parse({ ...values, config });

    expect(input.config).toEqual({ port: 587, sender: "other@example.com" });
  });

  it("sends of a new one only the fields that its type has", () => {
    const values = newChannelValues("wecom");
    const url = "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=example";

    const input = createForm("wecom").parse({
      ...values,
      name: "运维群",
      config: { ...values.config, url },
    });

    expect(input).toMatchObject({ type: "wecom", config: { url } });
    expect(Object.keys(input.config)).toEqual(["url"]);
  });

  it("says under its field what the server would refuse", () => {
    const values = newChannelValues("email");
    const config = { ...values.config, host: "smtp.example.com", port: "abc", sender: "nobody" };

    const { error } = createForm("email").safeParse({ ...values, name: "公司邮箱", config });

    expect(error?.issues.map(({ path }) => path.join("."))).toEqual([
      "config.port",
      "config.sender",
    ]);
  });
});
