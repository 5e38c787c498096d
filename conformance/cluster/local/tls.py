"""A certificate authority made for one run, the server's certificate from it, and other secret files."""

import ipaddress
import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_VALID = timedelta(days=365)  # a cluster can be kept up for long
_SKEW = timedelta(hours=1)


@dataclass(frozen=True)
class ServerFiles:
    """PEM files: the authority's certificate, the server's, and the server's private key (mode 0600)."""

    ca: Path
    cert: Path
    key: Path


def make_server_files(folder: Path) -> ServerFiles:
    """Make an authority and a certificate for 127.0.0.1 and localhost; the authority's key is kept nowhere."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = ServerFiles(folder / "ca.crt", folder / "server.crt", folder / "server.key")
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    ca_name = _name("dra-conformance run CA")
    ca = _builder(ca_name, ca_name, ca_key.public_key(), ca_key.public_key(), authority=True).sign(ca_key, SHA256())
    builder = _builder(_name("kube-apiserver"), ca_name, key.public_key(), ca_key.public_key(), authority=False)
    names = [x509.DNSName("localhost"), x509.DNSName("kubernetes.default.svc")]
    addresses = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    cert = (
        builder.add_extension(x509.SubjectAlternativeName([*names, addresses]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(ca_key, SHA256())
    )
    files.ca.write_bytes(ca.public_bytes(Encoding.PEM))
    files.cert.write_bytes(cert.public_bytes(Encoding.PEM))
    write_private(files.key, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return files


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    issuer_key: ec.EllipticCurvePublicKey,
    *,
    authority: bool,
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    usage = dict.fromkeys(("content_commitment", "data_encipherment", "encipher_only", "decipher_only"), False)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SKEW)
        .not_valid_after(now + _VALID)
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key), critical=False)
        .add_extension(
            x509.KeyUsage(
                digital_signature=not authority,
                key_encipherment=False,
                key_agreement=False,
                key_cert_sign=authority,
                crl_sign=authority,
                **usage,
            ),
            critical=True,
        )
    )


def make_signing_key(path: Path) -> Path:
    """Make a private key for signing tokens, in a file that only its owner can read; returns the path."""
    key = ec.generate_private_key(ec.SECP256R1())
    write_private(path, key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()))
    return path


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
