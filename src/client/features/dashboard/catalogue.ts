import * as Icon from "lucide-react";

export type Product = {
  name: string;
  /** The provider's own short name. */
  code: string;
  icon: Icon.LucideIcon;
  /** Only in older documents of the provider. */
  disabled: boolean;
};

/**
 * UCloud's products as its documentation groups them. For looking at: the console itself manages
 * cloud hosts.
 */
export const CATALOGUE: Readonly<Record<string, readonly Product[]>> = {
  计算: [
    product("云主机", "UHost", Icon.Server),
    product("GPU 云主机", "GPU", Icon.Gpu),
    product("裸金属云主机", "UPHost", Icon.ServerCog),
    product("轻量应用云主机", "ULightHost", Icon.Rocket),
    product("私有专区", "UDHost", Icon.Building2),
    product("弹性伸缩", "UAS", Icon.Scale),
    product("高性能计算", "EPC", Icon.Cpu),
    product("云手机", "UPhone", Icon.Smartphone),
    product("云游戏", "UGame", Icon.Gamepad2),
  ],
  容器: [
    product("容器云", "UK8S", Icon.ShipWheel),
    product("容器实例", "Cube", Icon.Box),
    product("容器镜像库", "UHub", Icon.Container),
    retired("容器集群", "UDocker", Icon.Boxes),
  ],
  网络: [
    product("外网弹性 IP", "EIP", Icon.Globe),
    product("私有网络", "UVPC", Icon.Network),
    product("负载均衡", "ULB", Icon.Split),
    product("网络型负载均衡", "NLB", Icon.Share2),
    product("NAT 网关", "NATGW", Icon.Router),
    product("高速通道", "UDPN", Icon.Cable),
    product("VPN 网关", "IPSecVPN", Icon.LockKeyhole),
    product("云联网", "UGN", Icon.Waypoints),
    product("智联", "UWAN", Icon.GitFork),
    product("IPv6 公网网关", "IPv6GW", Icon.Route),
    product("云解析", "UDNS", Icon.MapPin),
    product("共享带宽", "ShareBandwidth", Icon.Gauge),
    product("全球单一 IP", "AnycastEIP", Icon.Earth),
    product("私有链接", "PrivateLink", Icon.Link),
  ],
  网络加速: [
    product("全球动态加速", "PathX", Icon.Zap),
    product("应用仓库加速", "UAAA", Icon.CloudDownload),
    product("远程登录加速", "GlobalSSH", Icon.Terminal),
    product("海外直播加速", "UOL", Icon.RadioTower),
    product("罗马", "Roma", Icon.Route),
  ],
  存储: [
    product("云硬盘", "UDisk", Icon.HardDrive),
    product("对象存储", "US3", Icon.Archive),
    product("文件存储", "UFS", Icon.Folder),
    product("并行文件存储", "UPFS", Icon.FolderTree),
    product("磁盘快照服务", "USnap", Icon.Camera),
    product("数据方舟", "UDataArk", Icon.History),
    product("数据智能", "UDI", Icon.Sparkles),
    retired("归档存储", "UArchive", Icon.Warehouse),
  ],
  数据库: [
    product("云数据库 MySQL / SQL Server", "UDB", Icon.Database),
    product("云数据库 PostgreSQL", "UPgSQL", Icon.Database),
    product("云数据库 MongoDB", "UMongoDB", Icon.Database),
    product("云内存 Redis", "URedis", Icon.MemoryStick),
    product("云内存 Memcache", "UMem", Icon.MemoryStick),
    product("分布式数据库 TiDB", "TiDB", Icon.Layers),
    product("读写分离中间件", "UDBProxy", Icon.ArrowRightLeft),
    product("数据库自治中心", "UDAC", Icon.Bot),
    retired("分布式数据库", "UDDB", Icon.Table2),
    retired("时序数据库", "UTSDB", Icon.Timer),
  ],
  大数据与中间件: [
    product("托管 Hadoop 集群", "UHadoop", Icon.Boxes),
    product("云搜索服务", "UES", Icon.Search),
    product("云消息队列 Kafka", "UKafka", Icon.Workflow),
    product("云消息队列 RocketMQ", "URocketMQ", Icon.Rocket),
    product("日志服务", "ULogService", Icon.ScrollText),
    product("云数据仓库 ClickHouse", "UClickhouse", Icon.Warehouse),
    product("云数据仓库", "UDW", Icon.Warehouse),
    product("智能大数据平台", "USDP", Icon.ChartColumn),
    product("实时计算", "UFlink", Icon.Activity),
    product("实时分析数据库", "UDoris", Icon.Table2),
    product("云数据仓库 MAXIR", "MAXIR", Icon.Layers),
    product("工作流服务", "StepFlow", Icon.Workflow),
    product("API 网关", "UAPIGateway", Icon.Plug),
    retired("数据湖分析", "USQL", Icon.FileSearch),
  ],
  人工智能: [
    product("模型服务平台", "UModelVerse", Icon.Brain),
    product("优云智算", "UCompShare", Icon.Gpu),
    product("AI 在线服务", "UAI-Inference", Icon.Sparkles),
    product("AI 训练服务", "UAI-Train", Icon.Bot),
    product("AI 内容审核", "UAI-Censor", Icon.ScanSearch),
  ],
  安全: [
    product("DDoS 攻击防护", "UDDoS", Icon.ShieldAlert),
    product("Web 应用防火墙", "UWAF", Icon.Shield),
    product("主机入侵检测", "UHIDS", Icon.Bug),
    product("云安全中心", "USC", Icon.ShieldCheck),
    product("SSL 证书管理", "USSL", Icon.BadgeCheck),
    product("密钥管理服务", "UKMS", Icon.KeyRound),
    product("堡垒机", "Fortress", Icon.Lock),
    product("数据库审计", "DBAudit", Icon.ClipboardList),
    product("漏洞扫描", "UWS", Icon.ScanSearch),
    product("等保咨询", "UDBCP", Icon.FileText),
  ],
  "CDN、视频与边缘": [
    product("云分发", "UCDN", Icon.CloudDownload),
    product("边缘计算虚拟机", "UEC", Icon.RadioTower),
    product("云直播", "ULive", Icon.Radio),
    product("实时音视频", "URTC", Icon.Video),
    product("媒体工厂", "UMedia", Icon.Film),
    product("云点播", "UVideo", Icon.Tv),
  ],
  云通信: [
    product("短信服务", "USMS", Icon.MessageSquare),
    product("视频短信", "ISMS", Icon.Mail),
    product("语音消息服务", "UVMS", Icon.PhoneCall),
    product("号码认证", "UNVS", Icon.FingerprintPattern),
    product("短链工具", "USLK", Icon.Link),
  ],
  企业应用: [
    product("域名服务", "UDNR", Icon.Globe),
    product("备案", "ICP", Icon.FileText),
    retired("物联网通信", "UIoT-Core", Icon.Unplug),
  ],
  监控与管理: [
    product("云监控", "CloudWatch", Icon.Bell),
    product("操作日志", "ULog", Icon.ScrollText),
    product("标签", "Label", Icon.Tags),
    product("账号管理", "UAccount", Icon.UserCog),
    product("访问控制", "IAM", Icon.KeyRound),
    product("安全令牌服务", "STS", Icon.BadgeCheck),
    product("云命令行", "CloudShell", Icon.Terminal),
    product("命令行工具", "CLI", Icon.Terminal),
    product("资源编排", "Terraform", Icon.Layers),
  ],
  混合云与专有云: [
    product("混合云", "UHybrid", Icon.Combine),
    product("智能接入网关", "UBox", Icon.Router),
    product("私有云", "UCloudStack", Icon.CloudCog),
  ],
  迁移与费用: [
    product("服务器迁移中心", "USMC", Icon.Truck),
    product("数据传输服务", "UDTS", Icon.ArrowRightLeft),
    product("账单管理", "UBill", Icon.Receipt),
  ],
};

/** The categories with the products whose name or code holds the text; empty ones are left out. */
export function findProducts(text: string): [category: string, products: readonly Product[]][] {
  const term = text.trim().toLowerCase();
  return Object.entries(CATALOGUE)
    .map(([category, products]): [string, Product[]] => [
      category,
      products.filter(({ name, code }) => `${name}\n${code}`.toLowerCase().includes(term)),
    ])
    .filter(([, products]) => products.length > 0);
}

function product(name: string, code: string, icon: Icon.LucideIcon): Product {
  return { name, code, icon, disabled: false };
}

function retired(name: string, code: string, icon: Icon.LucideIcon): Product {
  return { name, code, icon, disabled: true };
}
