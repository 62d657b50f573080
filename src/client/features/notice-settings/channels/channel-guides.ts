import type { ChannelType } from "@shared/notice-channels.ts";
import { Bot, type LucideIcon, Mail, MessageSquare, Send, Webhook } from "lucide-react";

interface ChannelGuide {
  readonly icon: LucideIcon;
  /** Whom it reaches. */
  readonly summary: string;
  /** Where a person finds what the form asks for. */
  readonly whereToFind: string;
  /** The other side's own page about it. */
  readonly docs?: { readonly href: string; readonly label: string };
  readonly namePlaceholder: string;
  readonly urlPlaceholder?: string;
}

export const CHANNEL_GUIDES: Readonly<Record<ChannelType, ChannelGuide>> = {
  email: {
    icon: Mail,
    summary: "发到每个接收人自己的邮箱",
    whereToFind:
      "填写邮箱服务商的 SMTP 地址。多数邮箱需要先在设置中开启 SMTP，并使用授权码代替登录密码。",
    namePlaceholder: "例如：公司邮箱",
  },
  wecom: {
    icon: MessageSquare,
    summary: "发到企业微信群",
    whereToFind: "在企业微信群中打开：群设置 → 群机器人 → 添加，复制 Webhook 地址。",
    docs: {
      href: "https://developer.work.weixin.qq.com/document/path/91770",
      label: "企业微信文档",
    },
    namePlaceholder: "例如：运维群",
    urlPlaceholder: "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…",
  },
  dingtalk: {
    icon: Send,
    summary: "发到钉钉群",
    whereToFind:
      "在钉钉群中打开：群设置 → 智能群助手 → 添加机器人 → 自定义机器人，安全设置选“加签”，复制 Webhook 地址和 SEC 开头的密钥。",
    docs: {
      href: "https://open.dingtalk.com/document/robots/custom-robot-access",
      label: "钉钉文档",
    },
    namePlaceholder: "例如：运维群",
    urlPlaceholder: "https://oapi.dingtalk.com/robot/send?access_token=…",
  },
  feishu: {
    icon: Bot,
    summary: "发到飞书群",
    whereToFind:
      "在飞书群中打开：群设置 → 群机器人 → 添加机器人 → 自定义机器人，安全设置勾选“签名校验”，复制 Webhook 地址和密钥。",
    docs: {
      href: "https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot",
      label: "飞书文档",
    },
    namePlaceholder: "例如：运维群",
    urlPlaceholder: "https://open.feishu.cn/open-apis/bot/v2/hook/…",
  },
  webhook: {
    icon: Webhook,
    summary: "发到您自己的程序",
    whereToFind: "填写接收程序的地址。消息按 Standard Webhooks 签名，接收程序用同一个密钥验证。",
    docs: { href: "https://www.standardwebhooks.com/", label: "Standard Webhooks 规范" },
    namePlaceholder: "例如：工单系统",
    urlPlaceholder: "https://example.com/webhooks/hosts",
  },
};
