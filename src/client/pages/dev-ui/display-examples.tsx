import { Check, CircleDollarSign, Clock, Hourglass, Inbox, RefreshCw, Server, TriangleAlert } from "lucide-react";
import { Avatar } from "@/components/ui/avatar";
import { Badge, type BadgeTone, StatusDot } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { CopyableText, Mono } from "@/components/ui/copyable-text";
import { DescriptionList } from "@/components/ui/description-list";
import { Progress } from "@/components/ui/progress";
import { Separator } from "@/components/ui/separator";
import { StatCard } from "@/components/ui/stat-card";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { Timeline } from "@/components/ui/timeline";
import { currentSeconds, formatDisk, formatExpiry, formatMemory } from "@/lib/format";
import { Row, Section } from "./section";

const tones: BadgeTone[] = ["neutral", "accent", "success", "warning", "danger", "info"];
const DAY = 86_400;

export function DisplayExamples() {
  return (
    <Section title="展示">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <StatCard
          label="运行中主机"
          value={1284}
          hint="共 1,302 台"
          icon={Server}
          tone="success"
          href="/hosts?status=Running"
        />
        <StatCard
          label="7 天内到期"
          value={17}
          hint="30 天内 96 台"
          icon={Clock}
          tone="warning"
          href="/hosts?expiring=7"
        />
        <StatCard label="已过期" value={3} hint="最早 2026-11-02" icon={TriangleAlert} tone="danger" />
        <StatCard label="待处理申请" value={undefined} icon={Inbox} tone="accent" />
      </div>
      <Row label="标签">
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <Separator orientation="vertical" className="mx-2 h-5" />
        <Badge dot tone="success">
          运行中
        </Badge>
        <Badge dot tone="neutral">
          已停止
        </Badge>
        <Badge dot tone="danger">
          已过期
        </Badge>
        <Badge dot tone="warning">
          即将到期
        </Badge>
        <span className="inline-flex items-center gap-1.5 text-sm">
          <StatusDot tone="info" pulse />
          同步中
        </span>
        <Separator orientation="vertical" className="mx-2 h-5" />
        <Avatar name="张伟" size="sm" />
        <Avatar name="Li Na" />
        <Avatar name="王芳" size="lg" />
      </Row>
      <div className="grid gap-4 lg:grid-cols-2">
        <HostCard />
        <Card>
          <CardHeader>
            <CardTitle level={3}>续费进度</CardTitle>
          </CardHeader>
          <CardContent>
            <Timeline
              entries={[
                {
                  id: "1",
                  title: "提交申请",
                  time: "2026-11-18 09:12",
                  description: "续费 90 天，备注：项目延期",
                  icon: Hourglass,
                  tone: "accent",
                },
                {
                  id: "2",
                  title: "已批准（待付款）",
                  time: "2026-11-19 14:30",
                  description: "处理人：李娜",
                  icon: Check,
                  tone: "success",
                },
                {
                  id: "3",
                  title: "完成付款",
                  description: "完成后到期时间顺延 90 天",
                  icon: CircleDollarSign,
                  isPending: true,
                },
              ]}
            />
          </CardContent>
        </Card>
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <ProgressCard />
        <TabsCard />
      </div>
    </Section>
  );
}

function HostCard() {
  return (
    <Card>
      <CardHeader>
        <CardTitle level={3}>基本配置</CardTitle>
        <CardDescription>华北（北京）可用区 E</CardDescription>
        <CardAction>
          <Badge dot tone="success">
            运行中
          </Badge>
          <Button variant="outline" size="sm">
            <RefreshCw aria-hidden="true" />
            同步
          </Button>
        </CardAction>
      </CardHeader>
      <CardContent className="py-2.5">
        <DescriptionList
          items={[
            { label: "资源 ID", value: <CopyableText text="uhost-2x9k4mq1" label="资源 ID" /> },
            { label: "CPU", value: "8 核" },
            { label: "内存", value: formatMemory(16384) },
            { label: "磁盘", value: formatDisk(540) },
            { label: "内网 IP", value: <CopyableText text="10.23.118.7" label="内网 IP" /> },
            { label: "到期时间", value: formatExpiry(currentSeconds() + 11 * DAY) },
            { label: "系统", value: <Mono>CentOS 7.9 64位</Mono> },
            { label: "备注", value: null },
          ]}
        />
      </CardContent>
    </Card>
  );
}

function ProgressCard() {
  return (
    <Card>
      <CardHeader>
        <CardTitle level={3}>进度</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-4">
        <Progress label="同步" value={0.42} valueText="已同步 546 / 1302 台" />
        <Progress label="同步" value={null} />
        <Progress label="同步" value={1} tone="success" size="sm" />
        <Progress label="同步" value={0.7} tone="warning" size="sm" />
        <Progress label="同步" value={0.3} tone="danger" size="xs" />
      </CardContent>
    </Card>
  );
}

function TabsCard() {
  return (
    <Card>
      <CardContent className="grid gap-5">
        <Tabs defaultValue="all">
          <TabsList aria-label="申请状态">
            <TabsTrigger value="all">
              全部 <Badge>96</Badge>
            </TabsTrigger>
            <TabsTrigger value="pending">
              待处理 <Badge tone="warning">4</Badge>
            </TabsTrigger>
            <TabsTrigger value="done" disabled>
              已完成
            </TabsTrigger>
          </TabsList>
          <TabsContent value="all" className="pt-3 text-sm text-muted-foreground">
            全部申请
          </TabsContent>
          <TabsContent value="pending" className="pt-3 text-sm text-muted-foreground">
            待处理的申请
          </TabsContent>
        </Tabs>
        <Tabs defaultValue="1" orientation="vertical" className="max-w-72">
          <TabsList aria-label="主机">
            {["web-01", "web-02", "数据库主节点"].map((name, index) => (
              <TabsTrigger key={name} value={String(index + 1)}>
                <StatusDot tone={index === 1 ? "neutral" : "success"} />
                <span className="min-w-0 flex-1">
                  <span className="block truncate text-foreground">{name}</span>
                  <span className="block truncate text-xs font-normal text-muted-foreground">
                    可用区 E · 8 核 16 GB
                  </span>
                </span>
                {index === 0 ? <Badge tone="warning">还有 5 天</Badge> : null}
              </TabsTrigger>
            ))}
          </TabsList>
          {["1", "2", "3"].map((value) => (
            <TabsContent key={value} value={value} className="sr-only">
              详情 {value}
            </TabsContent>
          ))}
        </Tabs>
      </CardContent>
    </Card>
  );
}
