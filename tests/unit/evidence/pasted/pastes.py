"""What people paste, written from the published forms."""

from __future__ import annotations

INFO = """+------------------------------------------------------------------------------------------------+
| npu-smi 24.1.0                   Version: 24.1.0                                               |
+---------------------------+---------------+----------------------------------------------------+
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
| 0     910B3               | OK            | 90.0        47                0    / 0             |
| 0                         | 0000:C1:00.0  | 0           0    / 0          3351 / 65536         |
+===========================+===============+====================================================+

+---------------------------+---------------+----------------------------------------------------+
| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
+===========================+===============+====================================================+
| No running processes found in NPU 0                                                            |
+===========================+===============+====================================================+
"""
BOARD = """\tNPU ID                         : 0
\tProduct Name                   : IT21DMDB
\tSoftware Version               : 24.1.0
\tFirmware Version               : 7.5.0.3.220
\tCompatibility                  : OK
"""
DRIVER = """Version=24.1.0
ascendhal_version=7.35.23
aicpu_version=1.0
Innerversion=V100R001C19SPC002B226
compatible_version=[V100R001C17],[V100R001C18],[V100R001C19]
compatible_version_fw=[7.0.0,7.6.99]
package_version=24.1.0
"""
FIRMWARE = """Version=7.5.0.3.220
firmware_version=1.0
package_version=24.1.0
compatible_version_drv=[23.0.0,23.0.0.],[24.0,24.0.],[24.1,24.1.]
"""
INSTALL_INFO = """UserName=HwHiAiUser
UserGroup=HwHiAiUser
Driver_Install_Type=full
Driver_Install_Path_Param=/usr/local/Ascend
Driver_Install_For_All=yes
"""
TOOLKIT = """package_name=Ascend-cann-toolkit
version=8.0.0
innerversion=V100R001C20SPC001B251
compatible_version=[V100R001C15],[V100R001C18],[V100R001C19],[V100R001C20]
arch=aarch64
os=linux
path=/usr/local/Ascend/ascend-toolkit/8.0.0/aarch64-linux
"""
KERNELS = """Version=7.6.0.1.220
version_dir=8.0.0
ops_version=7.6.0.1.220
required_package_toolkit_version=">=7.5, <=7.6"
"""
VERSION_CFG = """# version: 1.0
runtime_running_version=[7.6.0.1.220:8.0.0]
toolkit_running_version=[7.6.0.1.220:8.0.0]
"""
NNAL = """    Ascend-cann-atb : 8.0.0
    Ascend-cann-atb Version : 8.0.0.B100
    Platform : aarch64
"""
HCCN = """address_0=10.20.0.10
netmask_0=255.255.0.0
netdetect_0=10.20.0.1
"""
LSMOD = """Module                  Size  Used by
drv_pcie_host         512000  3
nf_tables             300000  0
ascend_uda             90000  7 drv_pcie_host
"""
LSPCI = """c1:00.0 Processing accelerators [1200]: Huawei Technologies Co., Ltd. Device [19e5:d802] (rev 20)
c2:00.0 Ethernet controller [0200]: Huawei Technologies Co., Ltd. Device [19e5:a222] (rev 45)
"""
PIP = """Package    Version
---------- ------------
numpy      1.26.4
torch      2.4.0
torch-npu  2.4.0.post2
"""
OS_RELEASE = 'NAME="openEuler"\nVERSION_ID="22.03"\nID="openEuler"\nPRETTY_NAME="openEuler 22.03 (LTS-SP4)"\n'
UNAME = "Linux worker7 5.10.0-216.0.0.aarch64 #1 SMP Thu Jun 27 00:00:00 UTC 2024 aarch64 aarch64 aarch64 GNU/Linux\n"
STATUS = '{\n\t{"device_id":0, "status":idle}\n}\n'
FLASH = (
    "Get component version(7.5.0.3.220) succeed for deviceId(0), componentType(0).\n"
    '\t{"device_id":0, "component":nve, "version":7.5.0.3.220}\n'
)
INSTALLER = """Verifying archive integrity...  100%   SHA256 checksums are OK. All good.
Uncompressing ASCEND DRIVER RUN PACKAGE  100%
[Driver] [2025-01-02 10:35:21] [INFO]Start time: 2025-01-02 10:35:21
[Driver] [2025-01-02 10:36:24] [INFO]\x1b[32mDriver package installed successfully! \x1b[0m\x1b[31mReboot needed!\x1b[0m
[Driver] [2025-01-02 10:36:24] [INFO]End time: 2025-01-02 10:36:24
"""
HCCL_TEST = """the minbytes is 8192, maxbytes is 8192, iters is 20, warmup_iters is 5
data_size(Bytes): |   avg_time(us): | alg_bandwidth(GB/s): | check_result:
8192              |     764.55    |       0.00998        | success
"""
ENV = """HOME=/root
SSH_TOKEN=hunter2
HCCL_BUFFSIZE=200
PYTORCH_NPU_ALLOC_CONF=expandable_segments:True
"""
