"""The bodies of the vendor's answers, with all the fields that its own library insists on."""

from __future__ import annotations

from collections.abc import Mapping

from tests.loopback.elevenlabs.catalogue import MODELS, Dialect
from tests.loopback.providers import Frame


def voice(voice_id: str, name: str) -> Frame:
    """A voice that everybody has."""
    return {
        "voice_id": voice_id,
        "name": name,
        "samples": None,
        "category": "premade",
        "fine_tuning": {"is_allowed_to_fine_tune": False, "state": {}},
        "labels": {"language": "en"},
        "description": None,
        "preview_url": None,
        "available_for_tiers": [],
        "settings": None,
        "sharing": None,
        "high_quality_base_model_ids": ["eleven_flash_v2_5", "eleven_multilingual_v2"],
    }


def voices(known: Mapping[str, str]) -> Frame:
    """All of them."""
    return {"voices": [voice(voice_id, name) for voice_id, name in known.items()]}


def models() -> list[Frame]:
    """What can be spoken with."""
    return [
        {
            "model_id": model_id,
            "name": model.name,
            "can_do_text_to_speech": True,
            "can_do_voice_conversion": False,
            "can_be_finetuned": False,
            "can_use_style": model.dialect is Dialect.SPEECH,
            "can_use_speaker_boost": model.dialect is Dialect.SPEECH,
            "serves_pro_voices": False,
            "token_cost_factor": 1.0,
            "description": model.name,
            "requires_alpha_access": False,
            "maximum_text_length_per_request": 40_000,
            "languages": [{"language_id": "en", "name": "English"}],
            "model_rates": {"character_cost_multiplier": 0.5 if "flash" in model_id else 1.0},
            "concurrency_group": "standard",
        }
        for model_id, model in MODELS.items()
    ]


def subscription(characters: int, limit: int) -> Frame:
    """What is left of the month's characters."""
    return {
        "tier": "creator",
        "character_count": characters,
        "character_limit": limit,
        "max_credit_limit_extension": 0,
        "can_extend_character_limit": False,
        "allowed_to_extend_character_limit": False,
        "next_character_count_reset_unix": 1_900_000_000,
        "voice_slots_used": 0,
        "professional_voice_slots_used": 0,
        "professional_voice_slots_used_in_workspace": 0,
        "voice_limit": 30,
        "voice_add_edit_counter": 0,
        "professional_voice_limit": 1,
        "can_extend_voice_limit": False,
        "can_use_instant_voice_cloning": True,
        "can_use_professional_voice_cloning": True,
        "currency": "usd",
        "current_overage": {"amount": "0", "currency": "usd"},
        "status": "active",
        "billing_period": "monthly_period",
        "character_refresh_period": "monthly_period",
        "open_invoices": [],
        "has_open_invoices": False,
    }


def user(characters: int, limit: int) -> Frame:
    """Whose key it is."""
    return {
        "user_id": "loopback-user",
        "workspace_id": "loopback-workspace",
        "subscription": subscription(characters, limit),
        "is_new_user": False,
        "can_use_delayed_payment_methods": False,
        "is_onboarding_completed": True,
        "is_onboarding_checklist_completed": True,
        "is_api_key_hashed": True,
        "created_at": 1_700_000_000,
        "seat_type": "workspace_admin",
    }
