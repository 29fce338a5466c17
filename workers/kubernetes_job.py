"""Write the manifest of a Kubernetes Job whose pods are workers.

It is JSON, which is YAML too, so that no value needs quoting rules of its own. It holds no password: URLs and
credentials come from a Secret.
"""

from __future__ import annotations

import json
from typing import Any

from shadowtime.workers.worker_job import THREADS, WorkerJob

NAME = "shadowtime-workers"
USER = 1000
"""Number of the user `shadowtime` of the image: Kubernetes cannot check by name that it is not root."""
LABELS = {"app.kubernetes.io/name": "shadowtime", "app.kubernetes.io/component": "worker"}
GRACE = 60
"""Seconds that a pod has to requeue its run after it was asked to stop."""
KEPT = 3600
"""Seconds for which an ended Job can be looked at."""
FEWEST_RESTARTS = 6
FOLDERS = {"scratch": "/scratch", "tmp": "/tmp"}
"""The folders that a pod can write to; they end with it."""


def kubernetes_job(job: WorkerJob, image: str, secret: str = NAME, namespace: str | None = None) -> str:
    """Return the manifest of a Job with one worker in each pod, for `kubectl create -f`.

    Each worker may be restarted twice on average before the Job counts as failed, so that one wrong setting ends it.
    """
    metadata: dict[str, Any] = {"name": NAME, "labels": LABELS}
    if namespace is not None:
        metadata["namespace"] = namespace
    spec = {
        "completions": job.workers,
        "parallelism": job.workers,
        "backoffLimit": max(FEWEST_RESTARTS, 2 * job.workers),
        "ttlSecondsAfterFinished": KEPT,
        "template": {"metadata": {"labels": LABELS}, "spec": _pod(job, image, secret)},
    }
    if job.seconds is not None:
        spec["activeDeadlineSeconds"] = job.seconds
    return json.dumps({"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}, indent=2) + "\n"


def _pod(job: WorkerJob, image: str, secret: str) -> dict[str, Any]:
    resources = {"cpu": str(job.cpus), "memory": f"{job.memory}i"}
    environment = {
        "SHADOWTIME_STORE": f"{FOLDERS['scratch']}/store",
        "SHADOWTIME_CACHE": f"{FOLDERS['scratch']}/cache",
        "SHADOWTIME_RUN_MEMORY": str(job.run_memory),
        "HOME": FOLDERS["tmp"],
        **THREADS,
    }
    worker = {
        "name": "worker",
        "image": image,
        "command": job.command,
        "envFrom": [{"secretRef": {"name": secret}}],
        "env": [{"name": name, "value": value} for name, value in environment.items()],
        "resources": {"requests": resources, "limits": resources},
        "volumeMounts": [{"name": name, "mountPath": path} for name, path in FOLDERS.items()],
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
    }
    return {
        "restartPolicy": "OnFailure",
        "terminationGracePeriodSeconds": GRACE,
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER,
            "runAsGroup": USER,
            "fsGroup": USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [worker],
        "volumes": [{"name": name, "emptyDir": {}} for name in FOLDERS],
    }
