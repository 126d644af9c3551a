from __future__ import annotations

import pytest

from ascend_provision.evidence import boot_loader
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown

NO_GRUBBY = Evidence(name="grubby", note="not found")
MENU = """grub set default="{default}"
grub menuentry 'Debian GNU/Linux' --class debian $menuentry_id_option 'gnulinux-simple-1' {{
grub linux /boot/vmlinuz-5.10.0-26-amd64
grub }}
grub submenu 'Advanced options' $menuentry_id_option 'gnulinux-advanced-1' {{
grub menuentry 'Debian, with Linux 5.10.0-26-amd64' $menuentry_id_option 'gnulinux-5.10.0-26' {{
grub linux /boot/vmlinuz-5.10.0-26-amd64
grub }}
grub menuentry 'Debian, with Linux 5.10.0-23-amd64' $menuentry_id_option 'gnulinux-5.10.0-23' {{
grub linux /boot/vmlinuz-5.10.0-23-amd64
grub }}
grub }}
grub menuentry 'Other' {{
grub linux /vmlinuz-4.19.90-other
grub }}
"""


def read(text: str, grubby: Evidence = NO_GRUBBY) -> str | Unknown:
    return boot_loader.parse(Evidence(name="boot.loader", status=0, text=text), grubby).facts


@pytest.mark.parametrize(
    ("default", "kernel"),
    [
        ("0", "5.10.0-26-amd64"),
        ("1>1", "5.10.0-23-amd64"),
        ("2", "4.19.90-other"),
        ("gnulinux-advanced-1>gnulinux-5.10.0-23", "5.10.0-23-amd64"),
        ("Debian, with Linux 5.10.0-23-amd64", "5.10.0-23-amd64"),
    ],
)
def test_grubs_default_names_the_entry_by_index_title_or_id(default: str, kernel: str) -> None:
    assert read(MENU.format(default=default)) == kernel


def test_a_saved_entry_of_grubenv_counts_where_the_menu_asks_for_it() -> None:
    menu = MENU.format(default="${saved_entry}")

    assert read("saved_entry=gnulinux-advanced-1>gnulinux-5.10.0-23\n" + menu) == "5.10.0-23-amd64"
    assert read(menu) == "5.10.0-26-amd64"


def test_a_one_time_entry_counts_first() -> None:
    assert read("next_entry=2\n" + MENU.format(default="0")) == "4.19.90-other"


def test_a_default_that_is_not_in_the_menu_is_unknown() -> None:
    assert read(MENU.format(default="gone")) == Unknown(unknown="GRUB's default entry 'gone' is not in its menu")


def test_grubby_is_believed_first() -> None:
    grubby = Evidence(name="grubby", status=0, text="/boot/vmlinuz-5.10.0-60.oe2203.aarch64\n")

    assert read(MENU.format(default="0"), grubby) == "5.10.0-60.oe2203.aarch64"


def test_a_hung_grubby_is_replaced_by_the_menu() -> None:
    assert read(MENU.format(default="0"), Evidence(name="grubby", note="timed out after 10 s")) == "5.10.0-26-amd64"


@pytest.mark.parametrize(
    "text",
    ["link=boot/vmlinuz-6.1.0-9-arm64\n", "image=vmlinuz-6.1.0-9-arm64\nimage=vmlinuz-0-rescue-77\n"],
)
def test_without_a_menu_the_boot_symlink_or_the_only_image_tells(text: str) -> None:
    assert read(text) == "6.1.0-9-arm64"


def test_two_images_and_no_menu_are_unknown() -> None:
    assert isinstance(read("image=vmlinuz-1-a\nimage=vmlinuz-2-b\n"), Unknown)


def test_a_menu_that_only_root_may_read_says_so() -> None:
    assert read("unreadable=/boot/grub2/grub.cfg\n") == Unknown(
        unknown="/boot/grub2/grub.cfg is not readable", settle="probe as root"
    )
