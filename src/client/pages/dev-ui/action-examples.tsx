import { Plus, RefreshCw, Trash2 } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { notify } from "@/lib/notify";
import { Row, Section } from "./section";

const variants = ["primary", "secondary", "success", "warning", "danger", "outline", "ghost"] as const;
const sizes = ["sm", "md", "lg"] as const;
const positions = ["top-right", "top-left", "bottom-right", "bottom-left"] as const;

export function ActionExamples() {
  return (
    <Section title="按钮与通知">
      <Row label="样式">
        {variants.map((variant) => (
          <Button key={variant} variant={variant}>
            {variant}
          </Button>
        ))}
      </Row>
      <Row label="大小">
        {sizes.map((size) => (
          <Button key={size} size={size}>
            <Plus aria-hidden="true" />
            新建用户
          </Button>
        ))}
        {sizes.map((size) => (
          <Button key={size} size={size} variant="outline" icon aria-label={`刷新 ${size}`}>
            <RefreshCw aria-hidden="true" />
          </Button>
        ))}
      </Row>
      <Row label="处理中、停用、作为链接">
        <Button loading>保存</Button>
        <Button variant="outline" loading>
          <RefreshCw aria-hidden="true" />
          同步主机
        </Button>
        <Button variant="danger" loading icon aria-label="删除">
          <Trash2 aria-hidden="true" />
        </Button>
        <Button disabled>保存</Button>
        <Button variant="outline" disabled>
          取消
        </Button>
        <Button variant="secondary" onClick={() => new Promise((resolve) => setTimeout(resolve, 1500))}>
          点击后忙 1.5 秒
        </Button>
        <Button variant="outline" asChild>
          <a href="#top">链接</a>
        </Button>
      </Row>
      <Row label="通知">
        <Button variant="outline" onClick={() => notify.success("创建成功", "用户 zhangwei 已创建")}>
          成功
        </Button>
        <Button
          variant="outline"
          onClick={() => notify.error("同步失败", "云平台拒绝了密钥，请检查配置“华北主账号”的公钥与私钥")}
        >
          错误
        </Button>
        <Button variant="outline" onClick={() => notify.warning("分配天数无效")}>
          警告
        </Button>
        <Button
          variant="outline"
          onClick={() =>
            notify.info("有新的续费申请", {
              message: "web-01 · 30 天",
              action: { label: "查看", onClick: () => undefined },
            })
          }
        >
          提示
        </Button>
        {positions.map((position) => (
          <Button
            key={position}
            variant="ghost"
            onClick={() => notify.info(position, { position, autoClose: false, message: "不自动关闭" })}
          >
            {position}
          </Button>
        ))}
      </Row>
      <Row label="按键">
        <Kbd>/</Kbd>
        <Kbd>Ctrl</Kbd>
        <Kbd>K</Kbd>
      </Row>
    </Section>
  );
}
