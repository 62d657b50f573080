import {
  Activity,
  Archive,
  ArrowRightLeft,
  BadgeCheck,
  Bell,
  Bot,
  Box,
  Boxes,
  Brain,
  Bug,
  Building2,
  Cable,
  Camera,
  ChartColumn,
  ClipboardList,
  CloudCog,
  CloudDownload,
  Combine,
  Container,
  Cpu,
  Database,
  Earth,
  FileSearch,
  FileText,
  Film,
  FingerprintPattern,
  Folder,
  FolderTree,
  Gamepad2,
  Gauge,
  GitFork,
  Globe,
  Gpu,
  HardDrive,
  History,
  KeyRound,
  Layers,
  Link,
  Lock,
  LockKeyhole,
  type LucideIcon,
  Mail,
  MapPin,
  MemoryStick,
  MessageSquare,
  Network,
  PhoneCall,
  Plug,
  Radio,
  RadioTower,
  Receipt,
  Rocket,
  Route,
  Router,
  Scale,
  ScanSearch,
  ScrollText,
  Search,
  Server,
  ServerCog,
  Share2,
  Shield,
  ShieldAlert,
  ShieldCheck,
  ShipWheel,
  Smartphone,
  Sparkles,
  Split,
  Table2,
  Tags,
  Terminal,
  Timer,
  Truck,
  Tv,
  Unplug,
  UserCog,
  Video,
  Warehouse,
  Waypoints,
  Workflow,
  Zap,
} from "lucide-react";

export type Product = {
  name: string;
  /** The provider's own short name. */
  code: string;
  icon: LucideIcon;
  /** Only in older documents of the provider. */
  disabled: boolean;
};

export type ProductCategory = { name: string; products: readonly Product[] };

/** UCloud's products as its documentation groups them. For looking at: the console itself manages cloud hosts. */
export const CATALOGUE: readonly ProductCategory[] = [
  {
    name: "计算",
    products: [
      product("云主机", "UHost", Server),
      product("GPU 云主机", "GPU", Gpu),
      product("裸金属云主机", "UPHost", ServerCog),
      product("轻量应用云主机", "ULightHost", Rocket),
      product("私有专区", "UDHost", Building2),
      product("弹性伸缩", "UAS", Scale),
      product("高性能计算", "EPC", Cpu),
      product("云手机", "UPhone", Smartphone),
      product("云游戏", "UGame", Gamepad2),
    ],
  },
  {
    name: "容器",
    products: [
      product("容器云", "UK8S", ShipWheel),
      product("容器实例", "Cube", Box),
      product("容器镜像库", "UHub", Container),
      retired("容器集群", "UDocker", Boxes),
    ],
  },
  {
    name: "网络",
    products: [
      product("外网弹性 IP", "EIP", Globe),
      product("私有网络", "UVPC", Network),
      product("负载均衡", "ULB", Split),
      product("网络型负载均衡", "NLB", Share2),
      product("NAT 网关", "NATGW", Router),
      product("高速通道", "UDPN", Cable),
      product("VPN 网关", "IPSecVPN", LockKeyhole),
      product("云联网", "UGN", Waypoints),
      product("智联", "UWAN", GitFork),
      product("IPv6 公网网关", "IPv6GW", Route),
      product("云解析", "UDNS", MapPin),
      product("共享带宽", "ShareBandwidth", Gauge),
      product("全球单一 IP", "AnycastEIP", Earth),
      product("私有链接", "PrivateLink", Link),
    ],
  },
  {
    name: "网络加速",
    products: [
      product("全球动态加速", "PathX", Zap),
      product("应用仓库加速", "UAAA", CloudDownload),
      product("远程登录加速", "GlobalSSH", Terminal),
      product("海外直播加速", "UOL", RadioTower),
      product("罗马", "Roma", Route),
    ],
  },
  {
    name: "存储",
    products: [
      product("云硬盘", "UDisk", HardDrive),
      product("对象存储", "US3", Archive),
      product("文件存储", "UFS", Folder),
      product("并行文件存储", "UPFS", FolderTree),
      product("磁盘快照服务", "USnap", Camera),
      product("数据方舟", "UDataArk", History),
      product("数据智能", "UDI", Sparkles),
      retired("归档存储", "UArchive", Warehouse),
    ],
  },
  {
    name: "数据库",
    products: [
      product("云数据库 MySQL / SQL Server", "UDB", Database),
      product("云数据库 PostgreSQL", "UPgSQL", Database),
      product("云数据库 MongoDB", "UMongoDB", Database),
      product("云内存 Redis", "URedis", MemoryStick),
      product("云内存 Memcache", "UMem", MemoryStick),
      product("分布式数据库 TiDB", "TiDB", Layers),
      product("读写分离中间件", "UDBProxy", ArrowRightLeft),
      product("数据库自治中心", "UDAC", Bot),
      retired("分布式数据库", "UDDB", Table2),
      retired("时序数据库", "UTSDB", Timer),
    ],
  },
  {
    name: "大数据与中间件",
    products: [
      product("托管 Hadoop 集群", "UHadoop", Boxes),
      product("云搜索服务", "UES", Search),
      product("云消息队列 Kafka", "UKafka", Workflow),
      product("云消息队列 RocketMQ", "URocketMQ", Rocket),
      product("日志服务", "ULogService", ScrollText),
      product("云数据仓库 ClickHouse", "UClickhouse", Warehouse),
      product("云数据仓库", "UDW", Warehouse),
      product("智能大数据平台", "USDP", ChartColumn),
      product("实时计算", "UFlink", Activity),
      product("实时分析数据库", "UDoris", Table2),
      product("云数据仓库 MAXIR", "MAXIR", Layers),
      product("工作流服务", "StepFlow", Workflow),
      product("API 网关", "UAPIGateway", Plug),
      retired("数据湖分析", "USQL", FileSearch),
    ],
  },
  {
    name: "人工智能",
    products: [
      product("模型服务平台", "UModelVerse", Brain),
      product("优云智算", "UCompShare", Gpu),
      product("AI 在线服务", "UAI-Inference", Sparkles),
      product("AI 训练服务", "UAI-Train", Bot),
      product("AI 内容审核", "UAI-Censor", ScanSearch),
    ],
  },
  {
    name: "安全",
    products: [
      product("DDoS 攻击防护", "UDDoS", ShieldAlert),
      product("Web 应用防火墙", "UWAF", Shield),
      product("主机入侵检测", "UHIDS", Bug),
      product("云安全中心", "USC", ShieldCheck),
      product("SSL 证书管理", "USSL", BadgeCheck),
      product("密钥管理服务", "UKMS", KeyRound),
      product("堡垒机", "Fortress", Lock),
      product("数据库审计", "DBAudit", ClipboardList),
      product("漏洞扫描", "UWS", ScanSearch),
      product("等保咨询", "UDBCP", FileText),
    ],
  },
  {
    name: "CDN、视频与边缘",
    products: [
      product("云分发", "UCDN", CloudDownload),
      product("边缘计算虚拟机", "UEC", RadioTower),
      product("云直播", "ULive", Radio),
      product("实时音视频", "URTC", Video),
      product("媒体工厂", "UMedia", Film),
      product("云点播", "UVideo", Tv),
    ],
  },
  {
    name: "云通信",
    products: [
      product("短信服务", "USMS", MessageSquare),
      product("视频短信", "ISMS", Mail),
      product("语音消息服务", "UVMS", PhoneCall),
      product("号码认证", "UNVS", FingerprintPattern),
      product("短链工具", "USLK", Link),
    ],
  },
  {
    name: "企业应用",
    products: [
      product("域名服务", "UDNR", Globe),
      product("备案", "ICP", FileText),
      retired("物联网通信", "UIoT-Core", Unplug),
    ],
  },
  {
    name: "监控与管理",
    products: [
      product("云监控", "CloudWatch", Bell),
      product("操作日志", "ULog", ScrollText),
      product("标签", "Label", Tags),
      product("账号管理", "UAccount", UserCog),
      product("访问控制", "IAM", KeyRound),
      product("安全令牌服务", "STS", BadgeCheck),
      product("云命令行", "CloudShell", Terminal),
      product("命令行工具", "CLI", Terminal),
      product("资源编排", "Terraform", Layers),
    ],
  },
  {
    name: "混合云与专有云",
    products: [
      product("混合云", "UHybrid", Combine),
      product("智能接入网关", "UBox", Router),
      product("私有云", "UCloudStack", CloudCog),
    ],
  },
  {
    name: "迁移与费用",
    products: [
      product("服务器迁移中心", "USMC", Truck),
      product("数据传输服务", "UDTS", ArrowRightLeft),
      product("账单管理", "UBill", Receipt),
    ],
  },
];

/** The categories with the products whose name or code holds the text; empty ones are left out. */
export function findProducts(text: string): readonly ProductCategory[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return CATALOGUE;
  return CATALOGUE.map(({ name, products }) => ({
    name,
    products: products.filter((item) => `${item.name}\n${item.code}`.toLowerCase().includes(wanted)),
  })).filter(({ products }) => products.length > 0);
}

function product(name: string, code: string, icon: LucideIcon): Product {
  return { name, code, icon, disabled: false };
}

function retired(name: string, code: string, icon: LucideIcon): Product {
  return { name, code, icon, disabled: true };
}
