from __future__ import annotations

from ascend_provision.evidence import mpi
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown

HYDRA = "HYDRA build details:\n    Version:                                 4.0.2\n"
BOTH = """mpirun=/usr/bin/mpirun /usr/bin/mpiexec.hydra
home=/usr/lib/x86_64-linux-gnu/openmpi
home=/usr/lib/x86_64-linux-gnu/mpich
"""


def read(places: str, version: str) -> mpi.Mpi:
    return mpi.parse(
        Evidence(name="mpi.places", status=0, text=places), Evidence(name="mpirun", status=0, text=version)
    ).facts


def test_mpirun_and_the_headers_of_the_same_mpi() -> None:
    assert read(BOTH, HYDRA) == mpi.Mpi("/usr/bin/mpirun", "/usr/lib/x86_64-linux-gnu/mpich", "MPICH 4.0.2")


def test_open_mpi_is_not_built_with_the_headers_of_mpich() -> None:
    places = "mpirun=/usr/bin/mpirun /usr/bin/orterun\nhome=/usr/lib/x86_64-linux-gnu/mpich\n"

    assert read(places, "mpirun (Open MPI) 4.1.4\n") == mpi.Mpi("/usr/bin/mpirun", None, "Open MPI 4.1.4")


def test_headers_beside_mpirun_belong_to_it() -> None:
    found = read("mpirun=/opt/mpi5/bin/mpirun /opt/mpi5/bin/mpirun\nhome=/opt/mpi5\n", "something\n")

    assert found.home == "/opt/mpi5"
    assert isinstance(found.name, Unknown)


def test_a_host_without_mpi_has_none() -> None:
    assert read("home=/usr/lib/x86_64-linux-gnu/mpich\n", "") == mpi.Mpi(None, None, None)
